import type * as z from 'zod/mini';
import { andThen, emit, emitNothing } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { textPieceOf } from '../formats/open-blocks.ts';
import type { State, Step } from './state.ts';
import { withTurn } from './state.ts';
import type { Item, Piece } from './wire.ts';

type Kind = 'text' | 'thinking';

/** A part of a streamed text. `replace` discards what was shown: the answer is being retried. */
export function grew(state: State, kind: Kind, { delta, chars, itemId = '', replace }: z.infer<typeof Piece>): Step {
  const cleared = replace === true ? dropText(state, kind) : emitNothing(state);
  return andThen(cleared, (next) => appendPart(next, kind, { source: itemId, piece: delta, from: chars - delta.length }));
}

/** Text before a tool call arrives in full each time, as a separate item (2026.9.6). */
export function preambleGrew(state: State, { itemId = '', progressText = '' }: z.infer<typeof Item>): Step {
  const open = state.turn?.texts.text;
  const from = open?.source === itemId ? open.chars : 0;
  return progressText.length < from ? emitNothing(state) : appendPart(state, 'text', { source: itemId, piece: progressText.slice(from), from });
}

interface Growth {
  readonly source: string;
  readonly piece: string;
  readonly from: number;
}

/** A part that doesn't continue the shown text starts a new one. */
function appendPart(state: State, kind: Kind, { source, piece, from }: Growth): Step {
  const { turn } = state;
  if (turn === null || piece === '') return emitNothing(state);
  const open = turn.texts[kind];
  if (open === null || open.source !== source || open.chars !== from) return andThen(dropText(state, kind), (next) => opened(next, kind, source, piece));
  return emit(
    withTurn(state, { texts: { ...turn.texts, [kind]: { ...open, chars: open.chars + piece.length } } }),
    textPieceOf({ ...open, kind }, piece, open.chars),
  );
}

function opened(state: State, kind: Kind, source: string, piece: string): Step {
  const { turn } = state;
  if (turn === null) return emitNothing(state);
  const itemId = itemOf(`${turn.runId}:${turn.items}`);
  const texts = { ...turn.texts, [kind]: { itemId, source, chars: piece.length } };
  return emit(withTurn(state, { texts, items: turn.items + 1 }), textPieceOf({ itemId, kind }, piece, 0));
}

/** Drops the shown text when the message itself arrives, or never will. */
export const dropTexts = (state: State): Step => andThen(dropText(state, 'thinking'), (next) => dropText(next, 'text'));

function dropText(state: State, kind: Kind): Step {
  const open = state.turn?.texts[kind];
  if (!state.turn || !open) return emitNothing(state);
  return emit(withTurn(state, { texts: { ...state.turn.texts, [kind]: null } }), { type: 'delta.dropped', itemId: open.itemId });
}
