import type { Translation } from '../adapter.ts';
import { ASSISTANT_LINES } from './lines/assistant.ts';
import { CONTROL_LINES } from './lines/control.ts';
import { LIFECYCLE_LINES } from './lines/lifecycle.ts';
import type { LineKind } from './lines/line.ts';
import { NOTICE_LINES } from './lines/notices.ts';
import { RESULT_LINES } from './lines/result.ts';
import { SESSION_LINES } from './lines/session.ts';
import { blockGrew, STREAM_LINES } from './lines/stream.ts';
import { SYSTEM_LINES } from './lines/system.ts';
import { TASK_LINES } from './lines/tasks.ts';
import { unrecognised } from './lines/unrecognised.ts';
import { USER_LINES } from './lines/user.ts';
import { isDeltaLine, isObject } from './lines/wire.ts';
import type { State, Step } from './state.ts';
import { lookUp, nothing, tell } from './state.ts';

/** Every kind of line we know, by `type/subtype`; `type/*` takes the rest of a type. */
export const LINE_KINDS: Readonly<Record<string, LineKind>> = {
  ...SESSION_LINES,
  ...ASSISTANT_LINES,
  ...USER_LINES,
  ...STREAM_LINES,
  ...RESULT_LINES,
  ...CONTROL_LINES,
  ...SYSTEM_LINES,
  ...TASK_LINES,
  ...LIFECYCLE_LINES,
  ...NOTICE_LINES,
};

export function translate(state: State, line: string): Translation<State> {
  const step = read(state, line);
  return { state: step.state, observations: step.observations, replies: step.replies ?? NO_REPLIES };
}

const NO_REPLIES: readonly string[] = [];

function read(state: State, line: string): Step {
  const raw = parse(line);
  if (raw === undefined) return line.trim() === '' ? nothing(state) : tell(state, unrecognised(line, 'not a JSON object'));
  if (isDeltaLine(raw)) return blockGrew(state, raw);
  const name = nameOf(raw);
  const kind = kindOf(name);
  if (kind === undefined) return tell(state, unrecognised(line, `a line of an unknown kind: ${name}`));
  return attempt(kind, state, raw) ?? tell(state, unrecognised(line, `a line of kind ${name} in a shape not seen before`));
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Never a throw for a line we did not foresee (a date out of range, say): it is shown as it came. */
function attempt(kind: LineKind, state: State, raw: object): Step | undefined {
  try {
    return kind.read(state, raw);
  } catch {
    return undefined;
  }
}

export const kindOf = (name: string): LineKind | undefined => lookUp(LINE_KINDS, name) ?? lookUp(LINE_KINDS, `${name.split('/', 1)[0]}/*`);

/** The `type/subtype` of a line; each type says in a place of its own what it is about. */
export function nameOf(raw: Readonly<Record<string, unknown>>): string {
  const type = typeof raw.type === 'string' ? raw.type : typeof raw.type;
  const subtype = subtypeOf(type, raw);
  return typeof subtype === 'string' ? `${type}/${subtype}` : type;
}

function subtypeOf(type: string, raw: Readonly<Record<string, unknown>>): unknown {
  switch (type) {
    case 'stream_event':
      return isObject(raw.event) ? raw.event.type : undefined;
    case 'control_request':
      return isObject(raw.request) ? raw.request.subtype : undefined;
    case 'control_response':
      return isObject(raw.response) ? raw.response.subtype : undefined;
    case 'command_lifecycle':
      return raw.state;
    case 'user':
      return raw.isReplay === true ? 'replay' : undefined;
    default:
      return raw.subtype;
  }
}
