import { expect, test } from 'vitest';
import { sessionAt } from '../../../test/support/index/session-samples.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openMachineStore } from './machine-store.ts';

const summary = (id: string, title = id) => ({ session: { ...sessionAt(id, 1), title }, waiting: [], resolved: [] });
const version = (number: number, epoch = 1) => ({ epoch, number });

test('[R703] what machines shared is still known after a restart, in its newest version, under the machine that shared it', () => {
  const folder = temporaryFolder('machines');
  const store = openMachineStore(folder);
  store.changed('b', [{ id: 's1', version: version(2), summary: summary('s1', 'newer') }]);
  store.changed('b', [{ id: 's1', version: version(1), summary: summary('s1', 'older') }]);
  // Another machine can't speak for it, and a summary for another id means nothing.
  store.changed('c', [{ id: 's1', version: version(9), summary: summary('s1', 'stolen') }]);
  store.changed('c', [{ id: 's2', version: version(1), summary: summary('other') }]);
  store.close();
  const again = openMachineStore(folder);
  expect([...again.sessions()].map(({ node, shared }) => [node, shared.session.id, shared.session.title, shared.session.node])).toEqual([
    ['b', 's1', 'newer', 'b'],
  ]);
  again.close();
});

test('a complete list removes what is missing, but nothing that is newer than the list', () => {
  const store = openMachineStore(temporaryFolder('machines'));
  const ids = () => [...store.sessions()].map(({ shared }) => shared.session.id).sort();
  for (const [id, number] of [
    ['old', 1],
    ['kept', 2],
    ['newer', 9],
  ] as const)
    store.changed('b', [{ id, version: version(number), summary: summary(id) }]);
  store.changed('c', [{ id: 'of-c', version: version(1), summary: summary('of-c') }]);
  store.all('b', version(5), [{ id: 'kept', version: version(5), summary: summary('kept') }]);
  expect(ids()).toEqual(['kept', 'newer', 'of-c']);
  store.changed('b', [{ id: 'kept', version: version(6) }]);
  expect(ids()).toEqual(['newer', 'of-c']);
  store.forget('c');
  expect(ids()).toEqual(['newer']);
  store.close();
});
