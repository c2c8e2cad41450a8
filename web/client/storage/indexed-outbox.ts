import * as z from 'zod/mini';
import { ClientFrame } from '../../../src/protocol/frame.ts';
import { done, written } from './indexed.ts';
import { inOrder, type Outbox, type OutboxEntry } from './outbox.ts';

const STORE = 'outbox';
/** No command has this id. It is stored among the entries because a new object store would need every other tab to close first. */
const WHO = '#who';

/** The outbox in IndexedDB. Other tabs see the same entries: sending one twice has no effect. */
export async function indexedOutbox(name = 'signalbox', factory: Pick<IDBFactory, 'open'> = indexedDB): Promise<Outbox> {
  const database = await opened(factory, name);
  const write = (change: (store: IDBObjectStore) => unknown) => written(database.transaction(STORE, 'readwrite', { durability: 'strict' }), STORE, change);
  const read = () => database.transaction(STORE, 'readonly').objectStore(STORE);
  return {
    all: async () => inOrder((await done(read().getAll())).flatMap(entryOf)),
    put: (entry) => write((store) => store.put(entry)),
    remove: (commandId) => write((store) => store.delete(commandId)),
    lastKnown: async () => Who.safeParse(await done(read().get(WHO))).data?.who,
    know: (who) => write((store) => store.put({ commandId: WHO, who })),
  };
}

function opened(factory: Pick<IDBFactory, 'open'>, name: string): Promise<IDBDatabase> {
  const request = factory.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'commandId' });
  return done(request);
}

const Who = z.object({ who: z.string() });
const Stored = z.object({ commandId: z.string(), sessionId: z.string(), createdAt: z.number(), by: z.optional(z.string()), frame: ClientFrame });

function entryOf(raw: unknown): readonly OutboxEntry[] {
  const parsed = Stored.safeParse(raw);
  if (!parsed.success) return [];
  const { frame, by, ...rest } = parsed.data;
  return frame.type === 'input' || frame.type === 'permission' ? [{ ...rest, ...(by !== undefined && { by }), frame }] : [];
}
