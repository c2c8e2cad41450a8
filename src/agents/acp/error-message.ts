import { jsonObject } from '../formats/json-object.ts';
import type { RpcError } from '../formats/json-rpc.ts';
import { isObject } from '../formats/shape.ts';

/** Many agents report every error as "Internal error" and put the cause in `data`. */
export function errorMessage({ message, data }: RpcError): string {
  const own = errorInJson(message);
  if (own !== undefined) return own;
  const more = typeof data === 'string' ? data : isObject(data) ? (data.details ?? data.message ?? data.error) : undefined;
  return typeof more === 'string' && !message.includes(more) ? `${message}: ${more}` : message;
}

/**
 * Some agents end a turn normally and report the failure as its last text: `Error: 400 …` (Copilot 1.0.102), or the service's answer as it is
 * (codex-acp 2.6.0, which also says elsewhere that the turn failed). Undefined for an answer.
 */
export function errorInText(text: string, hasFailed: boolean): string | undefined {
  const last =
    text
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? '';
  const isError = /^(?:API )?Error: (?:\d{3}\b|Request failed|Connection)/i.test(last);
  const own = errorInJson(last);
  if (own !== undefined) return own;
  if (isError) return last;
  return hasFailed ? last || 'The agent says that the turn failed, without a reason.' : undefined;
}

/** `{"error":{"message":"…"}}`, and nothing else. */
function errorInJson(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const error = jsonObject(text)?.error;
  return isObject(error) && typeof error.message === 'string' ? error.message : undefined;
}
