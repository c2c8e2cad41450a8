/** Records that wait to be copied. */
export interface CopyQueue<T> {
  put(id: string, work: Waiting<T>): void;
  has(id: string): boolean;
  remove(id: string): void;
  /** The next one whose time has come. */
  next(now: number): readonly [string, T] | undefined;
}

export interface Waiting<T> {
  readonly what: T;
  readonly mtimeMs: number;
  readonly notBefore: number;
}

// CLIs delete records after 30 days: those older than this come first, oldest first; then the rest, newest first.
export const SOON_DELETED_MS = 20 * 24 * 60 * 60 * 1000;

export function createCopyQueue<T>(): CopyQueue<T> {
  const waiting = new Map<string, Waiting<T>>();
  let order: string[] | undefined;
  return {
    put(id, work) {
      const known = waiting.get(id);
      waiting.set(id, work);
      if (known?.mtimeMs !== work.mtimeMs) order = undefined;
    },
    has: (id) => waiting.has(id),
    remove: (id) => void waiting.delete(id),
    next(now) {
      order ??= reverseOrder(waiting, now);
      while (order.length > 0 && !waiting.has(order.at(-1) ?? '')) order.pop();
      const id = order.findLast((one) => (waiting.get(one)?.notBefore ?? Number.POSITIVE_INFINITY) <= now);
      const found = id === undefined ? undefined : waiting.get(id);
      return id === undefined || found === undefined ? undefined : [id, found.what];
    },
  };
}

function reverseOrder(waiting: ReadonlyMap<string, Waiting<unknown>>, now: number): string[] {
  const rank = ({ mtimeMs }: Waiting<unknown>): number => (now - mtimeMs > SOON_DELETED_MS ? Number.MAX_SAFE_INTEGER - mtimeMs : mtimeMs);
  return [...waiting].sort(([, one], [, other]) => rank(one) - rank(other)).map(([id]) => id);
}
