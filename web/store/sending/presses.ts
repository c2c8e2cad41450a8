import { isRefused } from '../../client/http/api.ts';

/** Asks under one id for one wish until the server has answered it: pressing again after a lost answer finds what was made. */
export type Press = <T>(wish: readonly unknown[], ask: (id: string) => Promise<T>) => Promise<T>;

/** Who presses after so long wishes for it anew: the conversation has gone on. */
const SAME_WISH_MS = 10 * 60_000;

export function presses({ newId, now }: { readonly newId: () => string; readonly now: () => number }): Press {
  const open = new Map<string, { readonly id: string; readonly at: number }>();
  return async (wish, ask) => {
    const key = JSON.stringify(wish);
    const before = open.get(key);
    const pressed = before !== undefined && now() - before.at < SAME_WISH_MS ? before : { id: newId(), at: now() };
    open.set(key, pressed);
    try {
      const answer = await ask(pressed.id);
      open.delete(key);
      return answer;
    } catch (error) {
      if (isRefused(error)) open.delete(key);
      throw error;
    }
  };
}

/** Once more when the answer was lost; what is asked must bear the same id both times. */
export const twice = <T>(ask: () => Promise<T>): Promise<T> => ask().catch((error: unknown) => (isRefused(error) ? Promise.reject(error) : ask()));
