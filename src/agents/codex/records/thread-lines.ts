import { itemOf } from '../../formats/item-id.ts';
import { anything, isObject, nullish, object, optional, text } from '../../formats/shape.ts';
import { lineId } from './line.ts';
import { agentAt, NOTHING, type Reader } from './line-result.ts';

interface Meta {
  readonly cwd: string | undefined;
  readonly forked_from_id: string | null | undefined;
  readonly forked_from_ordinal_exclusive: unknown;
}
const isMeta = object<Meta>({ cwd: optional(text), forked_from_id: nullish(text), forked_from_ordinal_exclusive: anything });

/** A fork doesn't repeat earlier lines: it names the original thread and the last line they share. */
export const threadStarted: Reader = ({ payload }) => {
  if (!isMeta(payload)) return undefined;
  const { cwd, forked_from_id: from, forked_from_ordinal_exclusive: end } = payload;
  const upTo = from && typeof end === 'number' && end > 0 ? { upTo: lineId(from, end - 1) } : {};
  return { observations: [], ...(cwd && { facts: { cwd } }), ...(from && { continues: { agentSessionId: from, ...upTo } }) };
};

const isTurnContext = object<{ readonly model: string | undefined; readonly cwd: string | undefined }>({ model: optional(text), cwd: optional(text) });

export const turnSettings: Reader = ({ payload }) => {
  if (!isTurnContext(payload)) return undefined;
  const { model, cwd } = payload;
  return { observations: [], facts: { ...(model && { model }), ...(cwd && { cwd }) } };
};

const isCompacted = object<{ readonly message: string | undefined; readonly window_id: string | undefined }>({
  message: optional(text),
  window_id: optional(text),
});

/** The file doesn't say whether a person asked for it. The text that Codex puts before the summary is for the model. */
export const threadCompacted: Reader = (line) => {
  if (!isCompacted(line.payload)) return undefined;
  const { message = '', window_id } = line.payload;
  const id = `compaction:${window_id ?? line.timestamp ?? ''}`;
  const summary = message.replace(/^Another language model started to solve this problem[^\n]*\n/, '');
  return {
    observations: [
      { type: 'context.compacted', itemId: itemOf(id), trigger: 'unknown', ...agentAt(line) },
      ...(summary === '' ? [] : [{ type: 'user.message', itemId: itemOf(`${id}:summary`), text: summary, origin: 'agent', ...agentAt(line) } as const]),
    ],
  };
};

const isAborted = object<{ readonly turn_id: string | undefined; readonly reason: string | undefined }>({ turn_id: optional(text), reason: optional(text) });

export const turnAborted: Reader = (line) => {
  if (!isAborted(line.payload)) return undefined;
  const { turn_id, reason = 'interrupted' } = line.payload;
  const words = reason === 'interrupted' ? 'The turn was interrupted.' : `The turn was aborted: ${reason}.`;
  return { observations: [{ type: 'notice.shown', itemId: itemOf(`${turn_id ?? line.timestamp}:end`), level: 'info', text: words, ...agentAt(line) }] };
};

interface Ended {
  readonly turn_id: string | undefined;
  readonly error: { readonly message: string; readonly codex_error_info: unknown } | null | undefined;
}
const isEnded = object<Ended>({
  turn_id: optional(text),
  error: nullish(object<NonNullable<Ended['error']>>({ message: text, codex_error_info: anything })),
});

/** A failed turn: the service's error message takes the place of an answer. */
export const turnEnded: Reader = (line) => {
  if (!isEnded(line.payload)) return undefined;
  const { turn_id, error } = line.payload;
  if (!error) return NOTHING;
  const messageId = `${turn_id ?? line.timestamp}:error`;
  const where = { itemId: itemOf(messageId), messageId, index: 0, ...agentAt(line) };
  return { observations: [{ type: 'assistant.text', ...where, text: error.message, error: codeOf(error.codex_error_info) }] };
};

/** A string, or an object whose key is the code. */
function codeOf(info: unknown): string {
  if (text(info)) return info;
  return (isObject(info) ? Object.keys(info)[0] : undefined) ?? 'error';
}
