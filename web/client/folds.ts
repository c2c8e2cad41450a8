import * as z from 'zod/mini';

/** Cards that a person opened or closed, by item key: a reload leaves them so. */
export interface Folds {
  read(): ReadonlyMap<string, boolean>;
  write(folds: ReadonlyMap<string, boolean>): void;
}

const KEY = 'signalbox:folds';
/** Of a long day the last ones. */
const MOST = 500;
const Stored = z.array(z.tuple([z.string(), z.boolean()]));

/** In a storage that may be forbidden or full: the page then keeps them by itself. */
export const storedFolds = (storage: Pick<Storage, 'getItem' | 'setItem'>): Folds => ({
  read: () => {
    try {
      const parsed = Stored.safeParse(JSON.parse(storage.getItem(KEY) ?? '[]'));
      return new Map(parsed.success ? parsed.data : []);
    } catch {
      return new Map();
    }
  },
  write: (folds) => {
    try {
      storage.setItem(KEY, JSON.stringify([...folds].slice(-MOST)));
    } catch {
      // They hold until the page is left.
    }
  },
});
