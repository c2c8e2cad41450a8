import { jsonLine, jsonObject } from './json-object.ts';
import { amount, isObject, type Loose, text } from './shape.ts';

/** A number or a string, as the sender chose; the answer must carry the same id. */
export type RpcId = string | number;

/** An incoming JSON-RPC 2.0 message. */
export type RpcMessage =
  /** The sender waits for our answer. */
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** An answer to our request. */
  | { readonly kind: 'result'; readonly id: RpcId; readonly result: unknown }
  /** An error; without an id when our request could not be parsed. */
  | { readonly kind: 'error'; readonly id: RpcId | null; readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

type Params = Loose<object>;

/** The message in a line; undefined when there is none. The version field is optional: not every agent sends it. */
export function readRpc(line: string): RpcMessage | undefined {
  const raw = jsonObject(line);
  if (raw === undefined) return undefined;
  const { id, method, params = {} } = raw;
  if (method !== undefined) return text(method) && isObject(params) ? requestOrNotification(id, method, params) : undefined;
  if ('error' in raw) return errorResponse(id, raw.error);
  return isId(id) && 'result' in raw ? { kind: 'result', id, result: raw.result } : undefined;
}

function requestOrNotification(id: unknown, method: string, params: Params): RpcMessage | undefined {
  if (id === undefined) return { kind: 'notification', method, params };
  return isId(id) ? { kind: 'request', id, method, params } : undefined;
}

function errorResponse(id: unknown, error: unknown): RpcMessage | undefined {
  if (!isObject(error) || !amount(error.code) || !text(error.message)) return undefined;
  const { code, message, data } = error;
  return { kind: 'error', id: isId(id) ? id : null, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

const isId = (id: unknown): id is RpcId => text(id) || amount(id);

/** The id says what the request is for, so that we need no memory to read the answer. */
export const requestLine = (id: RpcId, method: string, params: object): string => jsonLine({ jsonrpc: '2.0', id, method, params });

export const notificationLine = (method: string, params?: object): string => jsonLine({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

export const resultLine = (id: RpcId, result: object): string => jsonLine({ jsonrpc: '2.0', id, result });

export const errorLine = (id: RpcId, { code, message }: RpcError): string => jsonLine({ jsonrpc: '2.0', id, error: { code, message } });

/** Answer to a request that we don't support. */
export const METHOD_NOT_FOUND = -32601;

/** An id as text for the journal, and back: `7` and `"7"` are different ids. */
export const serializeId = (id: RpcId): string => JSON.stringify(id);

export function parseId(stored: string): RpcId {
  try {
    const id: unknown = JSON.parse(stored);
    return isId(id) ? id : stored;
  } catch {
    return stored;
  }
}
