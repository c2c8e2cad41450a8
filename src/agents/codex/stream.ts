import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit, emitNothing, ownProperty, withKey } from '../formats/fold.ts';
import { itemOf } from '../formats/item-id.ts';
import { completeTextOf, textPieceOf } from '../formats/open-blocks.ts';
import type { State, Step } from './state.ts';
import type { Delta, SummaryPart } from './wire.ts';

/** Longest text that is kept when it is cut off; a longer one exists only as deltas, which end with the turn. */
const KEPT_CHARS = 60_000;

export const grew = (state: State, { itemId, delta }: z.infer<typeof Delta>): Step => appendText(state, itemId, delta);

function appendText(state: State, itemId: string, delta: string): Step {
  const open = ownProperty(state.texts, itemId);
  if (open === undefined || delta === '') return emitNothing(state);
  const chars = open.chars + delta.length;
  const grown = { ...open, chars, text: chars <= KEPT_CHARS ? open.text + delta : '' };
  return emit({ ...state, texts: withKey(state.texts, itemId, grown) }, textPieceOf({ itemId, kind: open.kind }, delta, open.chars));
}

/** Parts of a summary become lines of one thought. */
export const summaryPartAdded = (state: State, { itemId, summaryIndex }: z.infer<typeof SummaryPart>): Step =>
  summaryIndex > 0 ? appendText(state, itemId, '\n') : emitNothing(state);

/** A person has seen it: the shown text of a message that is never completed stays in the transcript, even though Codex forgets it. */
export function cutOff(state: State): Step {
  const texts = Object.entries(state.texts);
  const observed = texts.flatMap(([id, { kind, chars, text }]): readonly Observation[] => {
    if (chars === 0) return [];
    if (text.length !== chars) return [{ type: 'delta.dropped', itemId: itemOf(id) }];
    return [completeTextOf({ itemId: id, kind }, text, true)];
  });
  return emit({ ...state, texts: {}, cut: [...state.cut, ...texts.map(([id]) => id)] }, ...observed);
}
