import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import type { State, Step } from './state.ts';
import { andThen, nothing, tell, withTurn } from './state.ts';
import type { Item, Piece } from './wire.ts';

type Kind = 'text' | 'thinking';

/** A piece of what is being written. `replace` takes back what was shown: the answer is tried again. */
export function grew(state: State, kind: Kind, { delta, chars, itemId = '', replace }: z.infer<typeof Piece>): Step {
  const begun = replace === true ? dropText(state, kind) : nothing(state);
  return andThen(begun, (next) => longer(next, kind, { source: itemId, piece: delta, from: chars - delta.length }));
}

/** What is said before a call comes as a whole each time, and by itself (2026.9.6). */
export function preambleGrew(state: State, { itemId = '', progressText = '' }: z.infer<typeof Item>): Step {
  const open = state.turn?.texts.text;
  const from = open?.source === itemId ? open.chars : 0;
  return progressText.length < from ? nothing(state) : longer(state, 'text', { source: itemId, piece: progressText.slice(from), from });
}

interface Growth {
  readonly source: string;
  readonly piece: string;
  readonly from: number;
}

/** Pieces that do not follow on what was shown begin anew. */
function longer(state: State, kind: Kind, { source, piece, from }: Growth): Step {
  const { turn } = state;
  if (turn === null || piece === '') return nothing(state);
  const open = turn.texts[kind];
  if (open === null || open.source !== source || open.chars !== from) return andThen(dropText(state, kind), (next) => opened(next, kind, source, piece));
  const told: Observation = { type: 'delta', itemId: open.itemId, messageId: open.itemId, index: 0, kind, text: piece, offset: open.chars };
  return tell(withTurn(state, { texts: { ...turn.texts, [kind]: { ...open, chars: open.chars + piece.length } } }), told);
}

function opened(state: State, kind: Kind, source: string, piece: string): Step {
  const { turn } = state;
  if (turn === null) return nothing(state);
  const itemId = itemOf(`${turn.runId}:${turn.items}`);
  const texts = { ...turn.texts, [kind]: { itemId, source, chars: piece.length } };
  return tell(withTurn(state, { texts, items: turn.items + 1 }), { type: 'delta', itemId, messageId: itemId, index: 0, kind, text: piece, offset: 0 });
}

/** What was shown of a message goes when the message itself comes, or never will. */
export const dropTexts = (state: State): Step => andThen(dropText(state, 'thinking'), (next) => dropText(next, 'text'));

function dropText(state: State, kind: Kind): Step {
  const open = state.turn?.texts[kind];
  if (!state.turn || !open) return nothing(state);
  return tell(withTurn(state, { texts: { ...state.turn.texts, [kind]: null } }), { type: 'delta.dropped', itemId: open.itemId });
}
