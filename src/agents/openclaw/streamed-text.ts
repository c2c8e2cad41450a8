import type * as z from 'zod/mini';
import { andThen, emit, emitNothing, remember } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { completeTextOf, textPieceOf } from '../formats/open-blocks.ts';
import type { State, Step } from './state.ts';
import { withTurn } from './state.ts';
import type { Item, Piece } from './wire.ts';

type Kind = 'text' | 'thinking';

/** A part of a streamed text. `replace` discards what was shown: the answer is being retried. */
export function grew(state: State, kind: Kind, { delta, chars, itemId = '', replace }: z.infer<typeof Piece>): Step {
  const cleared = replace === true ? dropText(state, kind) : emitNothing(state);
  return andThen(cleared, (next) => appendPart(next, kind, { source: itemId, piece: delta, from: chars - delta.length }));
}

/** Text before a tool call arrives in full each time, as a separate item (2026.9.6); the message that follows it has only the call. */
export function preambleGrew(state: State, { phase, itemId = '', progressText = '' }: z.infer<typeof Item>): Step {
  const open = state.turn?.texts.text;
  const from = open?.source === itemId ? open.chars : 0;
  const grown = progressText.length < from ? emitNothing(state) : appendPart(state, 'text', { source: itemId, piece: progressText.slice(from), from });
  return andThen(grown, (now) => {
    const noted = withPreamble(now, itemId, progressText);
    return phase === 'end' ? preambleEnded(noted) : emitNothing(noted);
  });
}

/** The state is stored with every event; no model says this much before a call. */
const PREAMBLE_CHARS = 20_000;
const KNOWN_CHARS = 500;
const KNOWN_PREAMBLES = 16;

function withPreamble(state: State, source: string, text: string): State {
  const open = state.turn?.texts.text;
  if (!state.turn || !open || open.source !== source || text.length > PREAMBLE_CHARS) return state;
  return withTurn(state, { texts: { ...state.turn.texts, text: { ...open, preamble: text } } });
}

/** Keeps the preamble that is shown, if one is. */
export function preambleEnded(state: State, isCutOff = false): Step {
  const open = state.turn?.texts.text;
  if (!state.turn || open?.preamble === undefined) return emitNothing(state);
  const preambles = remember(state.turn.preambles, open.preamble.slice(0, KNOWN_CHARS), KNOWN_PREAMBLES);
  return emit(
    withTurn(state, { preambles, texts: { ...state.turn.texts, text: null } }),
    completeTextOf({ itemId: open.itemId, kind: 'text' }, open.preamble, isCutOff),
  );
}

export const isKnownPreamble = ({ turn }: State, text: string): boolean => turn?.preambles.includes(text.slice(0, KNOWN_CHARS)) === true;

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

/** Drops the shown text when the message itself arrives, or never will; a preamble stays. */
export const dropTexts = (state: State, isCutOff = false): Step =>
  andThen(preambleEnded(state, isCutOff), (kept) => andThen(dropText(kept, 'thinking'), (next) => dropText(next, 'text')));

function dropText(state: State, kind: Kind): Step {
  const open = state.turn?.texts[kind];
  if (!state.turn || !open) return emitNothing(state);
  return emit(withTurn(state, { texts: { ...state.turn.texts, [kind]: null } }), { type: 'delta.dropped', itemId: open.itemId });
}
