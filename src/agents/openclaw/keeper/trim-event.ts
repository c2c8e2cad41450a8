import type { Frame } from './connection.ts';

type Loose = Readonly<Record<string, unknown>>;

/**
 * The part of an event that a session needs; undefined when other events report the same. The Gateway repeats the complete text with every
 * delta, and the complete session row with every message: trimming keeps the amount linear.
 */
export function trimmed(frame: Frame): Frame | undefined {
  const { event, payload } = frame;
  if (!isObject(payload)) return frame;
  if (event === 'chat') return payload.state === 'delta' || payload.state === 'status' ? undefined : kept(frame, chatOf(payload));
  if (event === 'agent') return payload.stream === 'command_output' ? undefined : kept(frame, agentOf(payload));
  if (event === 'session.message') return kept(frame, pick(payload, MESSAGE_FIELDS));
  return frame;
}

const kept = ({ type, event }: Frame, payload: Loose): Frame => ({ type, event, payload });

/** Only whether there is an answer: the message itself is sent separately. */
const chatOf = ({ message, ...rest }: Loose): Loose => ({ ...rest, ...(message === undefined ? {} : { hasMessage: true }) });

function agentOf({ session: _, data, ...rest }: Loose): Loose {
  if (!isObject(data)) return { ...rest, data };
  const { text, partialResult: __, ...others } = data;
  if (rest.stream === 'tool') return { ...rest, data: others };
  return { ...rest, data: typeof text === 'string' && typeof data.delta === 'string' ? { ...others, chars: text.length } : data };
}

const MESSAGE_FIELDS = ['sessionKey', 'sessionId', 'messageId', 'messageSeq', 'message', 'contextTokens', 'totalTokens', 'modelProvider', 'model'];

const pick = (from: Loose, names: readonly string[]): Loose => Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The session that an event is about. */
export function sessionKeyOf({ payload }: Frame): string | undefined {
  if (!isObject(payload)) return undefined;
  const { sessionKey, request } = payload;
  if (typeof sessionKey === 'string') return sessionKey;
  return isObject(request) && typeof request.sessionKey === 'string' ? request.sessionKey : undefined;
}
