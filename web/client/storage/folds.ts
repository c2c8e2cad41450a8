import * as z from 'zod/mini';

/** What the user expanded or collapsed, by key; survives a reload. */
export interface Folds {
  read(): ReadonlyMap<string, boolean>;
  write(folds: ReadonlyMap<string, boolean>): void;
}

/** Only the most recent ones are stored. */
const MAX_FOLDS = 500;
const Stored = z.array(z.tuple([z.string(), z.boolean()]));

/** Storage may be blocked or full: then only the page keeps them. */
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
      storage.setItem(key, JSON.stringify([...folds].slice(-MAX_FOLDS)));
    } catch {
      // They last until the page is closed.
    }
  },
});
