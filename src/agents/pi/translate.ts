import type { Reader } from '../formats/fold.ts';
import { emitNothing, ownProperty, translation, translator } from '../formats/fold.ts';
import { jsonObject } from '../formats/json-object.ts';
import type { Translation } from '../port/adapter.ts';
import { DIALOG_LINES } from './dialogs.ts';
import { MESSAGE_LINES } from './messages.ts';
import { RESPONSE_LINES } from './responses.ts';
import { SETTING_LINES } from './settings.ts';
import type { State } from './state.ts';
import { pieceGrew, STREAM_LINES } from './stream.ts';
import { TURN_LINES } from './turns.ts';

/** Every known kind of line, by its type. */
const LINE_KINDS: Readonly<Record<string, Reader<State>>> = {
  ...RESPONSE_LINES,
  ...TURN_LINES,
  ...MESSAGE_LINES,
  ...STREAM_LINES,
  ...DIALOG_LINES,
  ...SETTING_LINES,
  // The previous message has the call, the next one its result.
  tool_execution_start: emitNothing,
  tool_execution_update: emitNothing,
  tool_execution_end: emitNothing,
  // We know the queue from our own requests.
  queue_update: emitNothing,
  // The name of a session in Pi's own lists.
  session_info_changed: emitNothing,
  // The complete output follows in the answer.
  bash_execution_update: emitNothing,
  // A line of Pi's session file, as it is written.
  entry_appended: emitNothing,
};

const translateLine = translator<State, Readonly<Record<string, unknown>>>({
  parse: jsonObject,
  notParsed: 'not a JSON object',
  read: (state, raw) => ownProperty(LINE_KINDS, typeOf(raw))?.(state, raw),
  reason(raw) {
    const type = typeOf(raw);
    return Object.hasOwn(LINE_KINDS, type) ? `a line of kind ${type} in a shape not seen before` : `a line of an unknown kind: ${type}`;
  },
});

export function translate(state: State, line: string): Translation<State> {
  const piece = pieceGrew(state, line);
  return piece === undefined ? translateLine(state, line) : translation(piece);
}

const typeOf = ({ type }: Readonly<Record<string, unknown>>): string => (typeof type === 'string' ? type : typeof type);
