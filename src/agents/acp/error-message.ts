import type { RpcError } from '../formats/json-rpc.ts';
import { isObject } from '../formats/shape.ts';

/** Many agents report every error as "Internal error" and put the cause in `data`. */
export function errorMessage({ message, data }: RpcError): string {
  const more = typeof data === 'string' ? data : isObject(data) ? (data.details ?? data.message ?? data.error) : undefined;
  return typeof more === 'string' && !message.includes(more) ? `${message}: ${more}` : message;
}
