import type { Translation } from '../adapter.ts';
import { jsonObject } from '../formats/json-object.ts';
import { DIALOG_LINES } from './dialogs.ts';
import type { LineKind } from './line.ts';
import { silent } from './line.ts';
import { MESSAGE_LINES } from './messages.ts';
import { RESPONSE_LINES } from './responses.ts';
import { SETTING_LINES } from './settings.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell } from './state.ts';
import { pieceGrew, STREAM_LINES } from './stream.ts';
import { TURN_LINES } from './turns.ts';
import { unrecognised } from './unrecognised.ts';

/** Every kind of line we know, by its type. */
const LINE_KINDS: Readonly<Record<string, LineKind>> = {
  ...RESPONSE_LINES,
  ...TURN_LINES,
  ...MESSAGE_LINES,
  ...STREAM_LINES,
  ...DIALOG_LINES,
  ...SETTING_LINES,
  // The message before named the call, and the one after has its result.
  tool_execution_start: silent,
  tool_execution_update: silent,
  tool_execution_end: silent,
  // What waits is known from our own requests.
  queue_update: silent,
  // The name of a session in Pi's own lists.
  session_info_changed: silent,
  // The whole output follows in the answer.
  bash_execution_update: silent,
  // A line of Pi's session file, as it is written.
  entry_appended: silent,
};

export function translate(state: State, line: string): Translation<State> {
  const step = read(state, line);
  return { state: step.state, observations: step.observations, replies: step.replies ?? NO_REPLIES };
}

const NO_REPLIES: readonly string[] = [];

function read(state: State, line: string): Step {
  const piece = pieceGrew(state, line);
  if (piece !== undefined) return piece;
  const raw = jsonObject(line);
  if (raw === undefined) return line.trim() === '' ? nothing(state) : tell(state, unrecognised(line, 'not a JSON object'));
  const type = typeof raw.type === 'string' ? raw.type : typeof raw.type;
  const kind = lookUp(LINE_KINDS, type);
  if (kind === undefined) return tell(state, unrecognised(line, `a line of an unknown kind: ${type}`));
  return attempt(kind, state, raw) ?? tell(state, unrecognised(line, `a line of kind ${type} in a shape not seen before`));
}

/** Never a throw for a line we did not foresee: it is shown as it came. */
function attempt(kind: LineKind, state: State, raw: object): Step | undefined {
  try {
    return kind(state, raw);
  } catch {
    return undefined;
  }
}
