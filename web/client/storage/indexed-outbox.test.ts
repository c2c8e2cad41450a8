import { expect, test } from 'vitest';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { indexedOutbox } from './indexed-outbox.ts';
import type { OutboxEntry } from './outbox.ts';

const entry: OutboxEntry = {
  commandId: 'c1',
  sessionId: 's',
  createdAt: 0,
  by: 'anna',
  frame: { type: 'input', sessionId: SessionId.parse('s'), commandId: CommandId.parse('c1'), text: 'hi' },
};

/** A database in memory: requests succeed at once, and their transactions end as `end` says. */
function database(end: 'complete' | 'abort'): Pick<IDBFactory, 'open'> {
  const rows = new Map<unknown, unknown>();
  const requestFor = (result: unknown) => {
    const request: { result: unknown; onsuccess?: () => void } = { result };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const put = (row: { readonly commandId: string }) => requestFor(end === 'complete' ? rows.set(row.commandId, row) : undefined);
  const store = {
    getAll: () => requestFor([...rows.values()]),
    get: (key: string) => requestFor(rows.get(key)),
    put,
    delete: (key: string) => requestFor(rows.delete(key)),
  };
  const transaction = () => {
    const made: { error: Error | null; oncomplete?: () => void; onabort?: () => void; objectStore: () => unknown } = { error: null, objectStore: () => store };
    setImmediate(() => {
      if (end === 'complete') return made.oncomplete?.();
      made.error = new Error('the disk is full');
      made.onabort?.();
    });
    return made;
  };
  return { open: () => requestFor({ transaction }) as unknown as IDBOpenDBRequest };
}

test('an entry is stored with its author, and the last user is not an entry', async () => {
  const outbox = await indexedOutbox('x', database('complete'));
  await outbox.put(entry);
  await outbox.know('anna');

  expect(await outbox.all()).toEqual([entry]);
  expect(await outbox.lastKnown()).toBe('anna');
});

test('a write whose transaction is rolled back after its request succeeded is rejected', async () => {
  const outbox = await indexedOutbox('x', database('abort'));

  await expect(outbox.put(entry)).rejects.toThrow('full');
});
