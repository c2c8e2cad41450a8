import { jsonObject } from './json-object.ts';
import { amount, isObject, type Loose, text } from './shape.ts';

/** A number or a text, whichever the one who asked has chosen; the answer has to bear the same. */
export type RpcId = string | number;

/** A message of JSON-RPC 2.0, from the other side. */
export type RpcMessage =
  /** It asks, and waits for an answer of ours. */
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** It answers. */
  | { readonly kind: 'result'; readonly id: RpcId; readonly result: unknown }
  /** It refuses; without an id when it could not even read what it was asked. */
  | { readonly kind: 'error'; readonly id: RpcId | null; readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

type Params = Loose<object>;

/** What a line says, or undefined when it is no message. That it names its version is not asked for: not all do. */
export function readRpc(line: string): RpcMessage | undefined {
  const raw = jsonObject(line);
  if (raw === undefined) return undefined;
  const { id, method, params = {} } = raw;
  if (method !== undefined) return text(method) && isObject(params) ? asked(id, method, params) : undefined;
  if ('error' in raw) return refused(id, raw.error);
  return isId(id) && 'result' in raw ? { kind: 'result', id, result: raw.result } : undefined;
}

function asked(id: unknown, method: string, params: Params): RpcMessage | undefined {
  if (id === undefined) return { kind: 'notification', method, params };
  return isId(id) ? { kind: 'request', id, method, params } : undefined;
}

function refused(id: unknown, error: unknown): RpcMessage | undefined {
  if (!isObject(error) || !amount(error.code) || !text(error.message)) return undefined;
  const { code, message, data } = error;
  return { kind: 'error', id: isId(id) ? id : null, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

const isId = (id: unknown): id is RpcId => text(id) || amount(id);

/** The id carries what the request is for, so that its answer needs no memory of ours. */
export const requestLine = (id: RpcId, method: string, params: object): string => print({ jsonrpc: '2.0', id, method, params });

export const notificationLine = (method: string, params?: object): string => print({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

export const resultLine = (id: RpcId, result: object): string => print({ jsonrpc: '2.0', id, result });

export const errorLine = (id: RpcId, { code, message }: RpcError): string => print({ jsonrpc: '2.0', id, error: { code, message } });

/** What a request is answered with that nobody here can do. */
export const METHOD_NOT_FOUND = -32601;

/** An id in a text that a journal keeps, and back: `7` and `"7"` are two ids. */
export const keptId = (id: RpcId): string => JSON.stringify(id);

export function idKept(kept: string): RpcId {
  try {
    const id: unknown = JSON.parse(kept);
    return isId(id) ? id : kept;
  } catch {
    return kept;
  }
}

/** One line, whatever a person pasted: newlines are escaped, and half a surrogate pair, which APIs refuse, becomes U+FFFD. */
export const print = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part));
