import type { RpcError } from '../formats/json-rpc.ts';
import { isObject } from '../formats/shape.ts';

/** Many agents call everything an internal error and put what happened behind it. */
export function errorWords({ message, data }: RpcError): string {
  const more = typeof data === 'string' ? data : isObject(data) ? (data.details ?? data.message ?? data.error) : undefined;
  return typeof more === 'string' && !message.includes(more) ? `${message}: ${more}` : message;
}
