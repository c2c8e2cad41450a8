import { ownProperty, translator } from '../formats/fold.ts';
import { jsonObject } from '../formats/json-object.ts';
import { isObject } from '../formats/shape.ts';
import { ASSISTANT_LINES } from './lines/assistant.ts';
import { CONTROL_LINES } from './lines/control.ts';
import { LIFECYCLE_LINES } from './lines/lifecycle.ts';
import type { LineKind } from './lines/line.ts';
import { NOTICE_LINES } from './lines/notices.ts';
import { RESULT_LINES } from './lines/result.ts';
import { SESSION_LINES } from './lines/session.ts';
import type { State } from './lines/state.ts';
import { blockGrew, STREAM_LINES } from './lines/stream.ts';
import { SYSTEM_LINES } from './lines/system.ts';
import { TASK_LINES } from './lines/tasks.ts';
import { TOOL_LINES } from './lines/tools.ts';
import { USER_LINES } from './lines/user.ts';
import { isDeltaLine } from './lines/wire.ts';

/** Every known kind of line, by `type/subtype`; `type/*` matches the rest of a type. */
export const LINE_KINDS: Readonly<Record<string, LineKind>> = {
  ...SESSION_LINES,
  ...ASSISTANT_LINES,
  ...USER_LINES,
  ...STREAM_LINES,
  ...RESULT_LINES,
  ...CONTROL_LINES,
  ...TOOL_LINES,
  ...SYSTEM_LINES,
  ...TASK_LINES,
  ...LIFECYCLE_LINES,
  ...NOTICE_LINES,
};

export const translate = translator<State, Readonly<Record<string, unknown>>>({
  parse: jsonObject,
  notParsed: 'not a JSON object',
  read: (state, raw) => (isDeltaLine(raw) ? blockGrew(state, raw) : kindOf(nameOf(raw))?.read(state, raw)),
  reason(raw) {
    const name = nameOf(raw);
    return kindOf(name) === undefined ? `a line of an unknown kind: ${name}` : `a line of kind ${name} in a shape not seen before`;
  },
});

export const kindOf = (name: string): LineKind | undefined => ownProperty(LINE_KINDS, name) ?? ownProperty(LINE_KINDS, `${name.split('/', 1)[0]}/*`);

/** The `type/subtype` of a line; each type has its subtype in a different field. */
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
