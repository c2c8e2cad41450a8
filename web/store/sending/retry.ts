import { isRefused } from '../../client/http/api.ts';

/** Sends a request under one id until the server answers it: a retry after a lost answer finds what the first one created. */
export type WithSameId = <T>(request: readonly unknown[], send: (id: string) => Promise<T>) => Promise<T>;

/** After this long a second press is a new request: the conversation has moved on. */
const SAME_REQUEST_MS = 10 * 60_000;

export function sameIdOnRetry({ newId, now }: { readonly newId: () => string; readonly now: () => number }): WithSameId {
  const open = new Map<string, { readonly id: string; readonly at: number }>();
  return async (request, send) => {
    const key = JSON.stringify(request);
    const before = open.get(key);
    const current = before !== undefined && now() - before.at < SAME_REQUEST_MS ? before : { id: newId(), at: now() };
    open.set(key, current);
    try {
      const answer = await send(current.id);
      open.delete(key);
      return answer;
    } catch (error) {
      if (isRefused(error)) open.delete(key);
      throw error;
    }
  };
}

/** Tries again if the answer was lost. The request must have the same id both times. */
export const retryOnce = <T>(send: () => Promise<T>): Promise<T> => send().catch((error: unknown) => (isRefused(error) ? Promise.reject(error) : send()));
