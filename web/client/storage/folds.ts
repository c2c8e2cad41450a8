import * as z from 'zod/mini';

/** What a person opened or closed, by its key: a reload leaves it so. */
export interface Folds {
  read(): ReadonlyMap<string, boolean>;
  write(folds: ReadonlyMap<string, boolean>): void;
}

/** Of a long day the last ones. */
const MOST = 500;
const Stored = z.array(z.tuple([z.string(), z.boolean()]));

/** In a storage that may be forbidden or full: the page then keeps them by itself. */
export const storedFolds = (storage: Pick<Storage, 'getItem' | 'setItem'>, key: string): Folds => ({
  read: () => {
    try {
      const parsed = Stored.safeParse(JSON.parse(storage.getItem(key) ?? '[]'));
      return new Map(parsed.success ? parsed.data : []);
    } catch {
      return new Map();
    }
  },
  write: (folds) => {
    try {
      storage.setItem(key, JSON.stringify([...folds].slice(-MOST)));
    } catch {
      // They hold until the page is left.
    }
  },
});
