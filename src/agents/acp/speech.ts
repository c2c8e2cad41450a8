import type { Observation, PartialObservation } from '../../protocol/observation.ts';
import { itemOf } from '../formats/item-id.ts';
import { told } from './abilities.ts';
import type { OpenText, State, Step } from './state.ts';
import { andThen, nothing, tell } from './state.ts';
import type { Chunk, Content } from './wire.ts';

/** The state is stored with every event: a longer text becomes more than one item, if possible between two lines. */
const SOFT_CHARS = 3000;
const HARD_CHARS = 6000;

/** A piece of what the agent says or thinks. */
export function spoken(state: State, kind: OpenText['kind'], { content, messageId }: Chunk): Step {
  const piece = wordsOf(content);
  if (piece === '') return nothing(state);
  if (state.turn === null) return aside(state, kind, piece);
  const { text } = state;
  const goesOn = text !== null && text.kind === kind && text.messageId === (messageId ?? null) && !isLong(text.text);
  return goesOn ? grew(state, text, piece) : andThen(textEnded(state), (after) => begun(after, kind, messageId ?? null, piece));
}

/** In words, what cannot be shown as text. */
export function wordsOf({ type, text, mimeType, uri, name }: Content): string {
  if (type === 'text') return text ?? '';
  if (type === 'resource_link') return `[${name ?? uri ?? 'a link'}](${uri ?? ''})`;
  return `(${type}${mimeType ? ` of type ${mimeType}` : ''})`;
}

const isLong = (text: string): boolean => text.length >= SOFT_CHARS && text.endsWith('\n') && isOutsideCode(text);
const isOutsideCode = (text: string): boolean => (text.match(/^\s*```/gm)?.length ?? 0) % 2 === 0;

function begun(state: State, kind: OpenText['kind'], messageId: string | null, piece: string): Step {
  const [numbered, itemId] = freshItem(state);
  const step = grew(numbered, { kind, messageId, itemId, text: '' }, piece);
  return kind === 'thinking' ? { ...step, observations: [told({ thinking: true }), ...step.observations] } : step;
}

function grew(state: State, open: OpenText, piece: string): Step {
  const text = { ...open, text: open.text + piece };
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const step = tell({ ...state, text, turn }, pieceOf(open, piece));
  return text.text.length >= HARD_CHARS ? andThen(step, textEnded) : step;
}

const pieceOf = ({ itemId, kind, text }: OpenText, piece: string): PartialObservation => ({
  type: 'delta',
  itemId,
  messageId: itemId,
  index: 0,
  kind,
  text: piece,
  offset: text.length,
});

/** Whatever comes after a text ends it: the protocol has no word for that. */
export function textEnded(state: State): Step {
  const { text } = state;
  return text === null ? nothing(state) : tell({ ...state, text: null }, wholeOf(text));
}

const wholeOf = ({ kind, itemId, text }: Pick<OpenText, 'kind' | 'itemId' | 'text'>): Observation => ({
  type: kind === 'text' ? 'assistant.text' : 'assistant.thinking',
  itemId: itemOf(itemId),
  messageId: itemId,
  index: 0,
  text,
});

/** Said outside of a turn, such as a last word after a cancel: nothing will tell its end. */
function aside(state: State, kind: OpenText['kind'], text: string): Step {
  // pi-acp 0.0.34 greets with an empty line.
  if (text.trim() === '') return nothing(state);
  const [numbered, itemId] = freshItem(state);
  return tell(numbered, wholeOf({ kind, itemId, text }));
}

export function freshItem(state: State): readonly [State, string] {
  const items = state.items + 1;
  return [{ ...state, items }, `${state.turn?.inputId ?? `after ${state.lastInput}`}:${items}`];
}
