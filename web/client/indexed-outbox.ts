import * as z from 'zod/mini';
import { ClientFrame } from '../../src/protocol/frame.ts';
import { inOrder, type Outbox, type OutboxEntry } from './outbox.ts';

const STORE = 'outbox';

/** The outbox in the browser's own database. Other tabs see the same entries: sending one twice is sending it once. */
export async function indexedOutbox(name = 'signalbox'): Promise<Outbox> {
  const database = await opened(name);
  return {
    all: async () => inOrder((await done(storeOf(database, 'readonly').getAll())).flatMap(entryOf)),
    put: async (entry) => void (await done(storeOf(database, 'readwrite').put(entry))),
    remove: async (commandId) => void (await done(storeOf(database, 'readwrite').delete(commandId))),
  };
}

function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'commandId' });
  return done(request);
}

const storeOf = (database: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore =>
  database.transaction(STORE, mode, { durability: 'strict' }).objectStore(STORE);

export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const Stored = z.object({ commandId: z.string(), sessionId: z.string(), createdAt: z.number(), frame: ClientFrame });

function entryOf(raw: unknown): readonly OutboxEntry[] {
  const parsed = Stored.safeParse(raw);
  if (!parsed.success) return [];
  const { frame, ...rest } = parsed.data;
  return frame.type === 'input' || frame.type === 'permission' ? [{ ...rest, frame }] : [];
}
