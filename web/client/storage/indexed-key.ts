import { done, written } from './indexed.ts';

const STORE = 'keys';

/** Stored in IndexedDB, which only this origin can read: cookies are shared with other ports. */
export async function storedKey(path: string): Promise<string | undefined> {
  const found: unknown = await withDatabase((database) => done(database.transaction(STORE, 'readonly').objectStore(STORE).get(path)));
  return typeof found === 'string' ? found : undefined;
}

export const storeKey = (path: string, key: string): Promise<void> => write((store) => store.put(key, path));

export const deleteKey = (path: string): Promise<void> => write((store) => store.delete(path));

const write = (change: (store: IDBObjectStore) => unknown): Promise<void> =>
  withDatabase((database) => written(database.transaction(STORE, 'readwrite', { durability: 'strict' }), STORE, change));

async function withDatabase<T>(use: (database: IDBDatabase) => Promise<T>): Promise<T> {
  const request = indexedDB.open('signalbox-key', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await done(request);
  try {
    return await use(database);
  } finally {
    database.close();
  }
}
