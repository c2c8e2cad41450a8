import { andThen, emit, emitNothing } from '../formats/fold.ts';
import { completeTextOf, textPieceOf } from '../formats/open-blocks.ts';
import { capabilitiesObserved } from './capabilities.ts';
import type { OpenText, State, Step } from './state.ts';
import type { Chunk, Content } from './wire.ts';

/** The state is stored with every event: a longer text becomes more than one item, if possible between two lines. */
const SOFT_CHARS = 3000;
const HARD_CHARS = 6000;

/** A part of the agent's text or thinking. */
export function textReceived(state: State, kind: OpenText['kind'], { content, messageId }: Chunk): Step {
  const piece = plainText(content);
  if (piece === '') return emitNothing(state);
  if (state.turn === null) return textOutsideTurn(state, kind, piece);
  const { text } = state;
  const continues = text !== null && text.kind === kind && text.messageId === (messageId ?? null) && !isLong(text.text);
  return continues ? appendText(state, text, piece) : andThen(textEnded(state), (after) => startText(after, kind, messageId ?? null, piece));
}

/** A content block as plain text. */
export function plainText({ type, text, mimeType, uri, name }: Content): string {
  if (type === 'text' || text !== undefined) return text ?? '';
  if (type === 'resource_link') return `[${name ?? uri ?? 'a link'}](${uri ?? ''})`;
  return `(${type}${mimeType ? ` of type ${mimeType}` : ''})`;
}

const isLong = (text: string): boolean => text.length >= SOFT_CHARS && text.endsWith('\n') && isOutsideCode(text);
const isOutsideCode = (text: string): boolean => (text.match(/^\s*```/gm)?.length ?? 0) % 2 === 0;

function startText(state: State, kind: OpenText['kind'], messageId: string | null, piece: string): Step {
  const [numbered, itemId] = nextItemId(state);
  const step = appendText(numbered, { kind, messageId, itemId, text: '' }, piece);
  return kind === 'thinking' ? { ...step, observations: [capabilitiesObserved({ thinking: true }), ...step.observations] } : step;
}

function appendText(state: State, open: OpenText, piece: string): Step {
  const text = { ...open, text: open.text + piece };
  const turn = state.turn && { ...state.turn, hasSpoken: true };
  const step: Step = emit({ ...state, text, turn }, textPieceOf(open, piece, open.text.length));
  return text.text.length >= HARD_CHARS ? andThen(step, (after) => textEnded(after)) : step;
}

/** The protocol doesn't mark the end of a text: anything that follows ends it. */
export function textEnded(state: State, isCutOff = false): Step {
  const { text } = state;
  return text === null ? emitNothing(state) : emit({ ...state, text: null }, completeTextOf(text, text.text, isCutOff));
}

/** Text outside a turn, such as a last message after a cancel: nothing marks its end. */
function textOutsideTurn(state: State, kind: OpenText['kind'], text: string): Step {
  // pi-acp 0.0.34 greets with an empty line.
  if (text.trim() === '') return emitNothing(state);
  const [numbered, itemId] = nextItemId(state);
  return emit(numbered, completeTextOf({ kind, itemId }, text));
}

export function nextItemId(state: State): readonly [State, string] {
  const items = state.items + 1;
  return [{ ...state, items }, `${state.turn?.inputId ?? `after ${state.lastInput}`}:${items}`];
}
