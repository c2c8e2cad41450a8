import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell, withKey } from './state.ts';
import type { Delta, SummaryPart } from './wire.ts';

/** A text that is cut off is kept up to here; of a longer one only what was streamed is known, and that is gone with the turn. */
const KEPT_CHARS = 6000;

export const grew = (state: State, { itemId, delta }: z.infer<typeof Delta>): Step => longer(state, itemId, delta);

function longer(state: State, itemId: string, delta: string): Step {
  const open = lookUp(state.texts, itemId);
  if (open === undefined || delta === '') return nothing(state);
  const chars = open.chars + delta.length;
  const grown = { ...open, chars, text: chars <= KEPT_CHARS ? open.text + delta : '' };
  return tell(
    { ...state, texts: withKey(state.texts, itemId, grown) },
    { type: 'delta', itemId: itemOf(itemId), messageId: itemId, index: 0, kind: open.kind, text: delta, offset: open.chars },
  );
}

/** Parts of a summary are lines of one thought. */
export const summaryPartAdded = (state: State, { itemId, summaryIndex }: z.infer<typeof SummaryPart>): Step =>
  summaryIndex > 0 ? longer(state, itemId, '\n') : nothing(state);

/** A person has read it: what was shown of a message that is never completed stays in the transcript, though Codex forgets it. */
export function cutOff(state: State): Step {
  const texts = Object.entries(state.texts);
  const told = texts.flatMap(([id, { kind, chars, text }]): readonly Observation[] => {
    if (chars === 0) return [];
    if (text.length !== chars) return [{ type: 'delta.dropped', itemId: itemOf(id) }];
    return [{ type: kind === 'text' ? 'assistant.text' : 'assistant.thinking', itemId: itemOf(id), messageId: id, index: 0, text }];
  });
  return tell({ ...state, texts: {}, cut: [...state.cut, ...texts.map(([id]) => id)] }, ...told);
}
