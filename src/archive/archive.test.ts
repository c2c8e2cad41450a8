import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOY, toyArchive } from '../../test/support/archive/toy-archive.ts';
import { ToyHouse, wordsOf } from '../../test/support/archive/toy-setup.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { AgentArchive } from '../agents/archive.ts';
import { archivedIdOf } from '../agents/archived-id.ts';
import { isDeep } from '../domain/long-content.ts';
import { Event } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import { HELD_BYTES, stretchesOf } from './records/load-lines.ts';
import type { RecordBytes } from './records/record-bytes.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const GONE = 'The agent removed this part of the conversation from its record.';

test('a record is listed by a glance before anything is read, and then read', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', parent: null, ask: 'Hello there', at: at(1), cwd: '/work' },
    { id: 'b', parent: 'a', say: 'Hi', at: at(2) },
  ]);
  house.indexer.sweep();
  expect(house.indexer.progress().phase).toBe('looking');
  house.indexer.step();
  expect([...house.told.listedSessions.values()]).toMatchObject([{ title: 'Hello there', lastSeq: 0, past: { read: false } }]);
  while (house.indexer.step());
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', sessions: { done: 1, total: 1 } });
  expect(house.story('s1')).toEqual(['1 > Hello there', '2 Hi']);
  expect(house.session('s1')).toMatchObject({ cwd: '/work', createdAt: at(1), updatedAt: at(2), lastLine: 'Hi', isOpen: false, past: { read: true } });
  expect(house.told.batches.flatMap(({ events }) => events)).toEqual(house.events('s1'));
  for (const event of house.events('s1')) expect(Event.safeParse(event).success).toBe(true);
});

test('[R199] half a last line waits for the rest of it', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', parent: null, ask: 'one' }]);
  house.append('s1.jsonl', []);
  writeFileSync(house.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","par');
  house.read();
  house.read();
  house.read();
  expect(house.story('s1')).toEqual(['1 > one']);
  writeFileSync(house.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","parent":"a","say":"two"}\n');
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two']);
});

test('a whole last line without its newline is taken when nobody goes on writing it', () => {
  const house = new ToyHouse();
  mkdirSync(house.root, { recursive: true });
  writeFileSync(house.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","parent":"a","say":"two"}');
  house.read();
  expect(house.story('s1')).toEqual(['1 > one']);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two']);
  house.append('s1.jsonl', ['', { id: 'c', parent: 'b', say: 'three' }]);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two', '3 three']);
});

test('a broken line is an event, and those around it are read', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }, '{"id":"b', { id: 'c', parent: 'a', say: 'three' }]);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 ? {"id":"b', '3 three']);
});

test('[R196] numbers stay when a file is replaced; what vanished leaves a tombstone and what is new comes behind', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
    { id: 'c', parent: 'b', say: 'three' },
  ]);
  house.read();
  house.replace('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'c', parent: 'b', say: 'three' },
    { id: 'd', parent: 'c', say: 'four' },
  ]);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', `2 ${GONE}`, '3 three', '4 four']);
});

test('a file that shrank in place is read again', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  house.read();
  house.write('s1.jsonl', [{ id: 'b', parent: 'a', say: 'two' }]);
  house.read();
  expect(house.story('s1')).toEqual([`1 ${GONE}`, '2 two']);
});

test('a file that was rewritten in place and is longer than before is noticed by its first bytes', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  house.read();
  house.write('s1.jsonl', [
    { id: 'x', ask: 'another beginning' },
    { id: 'a', ask: 'one' },
  ]);
  house.read();
  expect(house.story('s1', 1)).toEqual(['1 > one']);
  expect(house.story('s1', 2)).toEqual(['2 > another beginning']);
});

test('[R197] a line that the session already has is a repeat, in whatever file it stands', () => {
  const house = new ToyHouse();
  const lines = [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ];
  house.write('s1.jsonl', [...lines, ...lines]);
  house.read();
  house.write('elsewhere/s1.jsonl', lines);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two']);
  rmSync(house.path('s1.jsonl'));
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two']);
  expect(house.session('s1')?.past.gone).toBe(false);
});

test('lines without an id are known by their text, and without a time also by how often it came', () => {
  const house = new ToyHouse();
  const lines = [{ say: 'timed', at: at(1) }, { say: 'timed', at: at(1) }, { say: 'mode' }, { say: 'other' }, { say: 'mode' }];
  house.write('s1.jsonl', lines);
  house.read();
  const before = house.story('s1');
  expect(before).toEqual(['1 timed', '2 mode', '3 other', '4 mode']);
  house.replace('s1.jsonl', [...lines, { say: 'mode' }]);
  house.read();
  expect(house.story('s1')).toEqual([...before, '5 mode']);
});

test('branches are numbered as they appear, and a page shows one way through them', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'first answer' },
    { id: 'c', parent: 'b', ask: 'go on' },
    { id: 'd', parent: 'a', say: 'second answer' },
    { id: 'e', parent: 'd', ask: 'on here' },
    { id: 'f', parent: 'c', say: 'back in the first' },
  ]);
  house.read();
  const branches = house.reader.branches(archivedIdOf(TOY, 's1'));
  expect(branches).toMatchObject([
    { branch: 1, lastSeq: 6, events: 4, title: 'one', active: true },
    { branch: 2, lastSeq: 5, events: 2, title: 'second answer', active: false, from: { branch: 1, seq: 1 } },
  ]);
  expect(house.story('s1')).toEqual(['1 > one', '2 first answer', '3 > go on', '6 back in the first']);
  expect(house.story('s1', 2)).toEqual(['1 > one', '4 second answer', '5 > on here']);
  expect(house.events('s1', { branch: 2, after: 1, limit: 1 }).map(({ seq }) => seq)).toEqual([4]);
  expect(house.events('s1', { branch: 2, before: 5, limit: 1 }).map(({ seq }) => seq)).toEqual([4]);
  expect(house.events('s1', { before: 6, limit: 2 }).map(({ seq }) => seq)).toEqual([2, 3]);
});

test('results side by side stay in the branch of their calls', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', call: 'x' },
    { id: 'c', parent: 'b', call: 'y' },
    { id: 'rx', parent: 'b', joins: true, result: 'x' },
    { id: 'ry', parent: 'c', joins: true, result: 'y' },
    { id: 'd', parent: 'rx', say: 'done' },
  ]);
  house.read();
  expect(house.story('s1')).toHaveLength(6);
  expect(house.reader.branches(archivedIdOf(TOY, 's1'))).toHaveLength(1);
});

test('the files of a session are merged by their times at first, and what comes later is put behind', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one', at: at(1) },
    { id: 'b', parent: 'a', call: 'x', at: at(2) },
    { id: 'c', parent: 'b', result: 'x', at: at(5) },
  ]);
  house.write('s1/parts/p.jsonl', [
    { say: 'inside', at: at(3) },
    { say: 'still inside', at: at(4) },
  ]);
  writeFileSync(house.path('s1/parts/p.meta'), 'x');
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 tool.started x', '3 inside', '4 still inside', '5 tool.completed x']);
  expect(house.events('s1')[2]).toMatchObject({ parentToolUseId: 'x' });
  house.write('s1/parts/q.jsonl', [{ say: 'another', at: at(3) }]);
  house.read();
  expect(house.story('s1').at(-1)).toBe('6 another');
});

test('a line without a time has the one before it, and says that it is a guess', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one', at: at(1) },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  house.read();
  expect(house.events('s1')).toMatchObject([{ at: at(1) }, { at: at(1), atKnown: false }]);
  expect(house.events('s1', { after: 1 })).toMatchObject([{ at: at(1), atKnown: false }]);
});

test('long texts and images are named by their hash and found again', () => {
  const house = new ToyHouse();
  const long = 'x'.repeat(100_000);
  house.write('s1.jsonl', [{ id: 'a', ask: long, image: Buffer.from('picture').toString('base64') }]);
  house.read();
  const [event] = house.events('s1');
  if (event?.type !== 'user.message') throw new Error('no message');
  expect(event.text.length).toBeLessThan(10_000);
  expect(Buffer.from(house.reader.blob(event.blobs?.text?.sha256 ?? '') ?? []).toString()).toBe(long);
  expect(Buffer.from(house.reader.blob(event.images?.[0]?.sha256 ?? '') ?? []).toString()).toBe('picture');
  expect(house.reader.blob('0'.repeat(64))).toBeUndefined();
  expect(Event.safeParse(event).success).toBe(true);
});

test('[R198] a link that leaves the root is not followed, and neither is one that stays in it', () => {
  const house = new ToyHouse();
  const outside = temporaryFolder('outside');
  writeFileSync(join(outside, 'secret.jsonl'), '{"id":"a","ask":"secret"}\n');
  mkdirSync(house.root, { recursive: true });
  symlinkSync(outside, house.path('out'));
  symlinkSync(join(outside, 'secret.jsonl'), house.path('s2.jsonl'));
  symlinkSync(house.root, house.path('loop'));
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  house.read();
  house.indexer.touched(house.path('out/secret.jsonl'));
  house.indexer.touched(house.path('s2.jsonl'));
  while (house.indexer.step());
  expect([...house.told.listedSessions.values()].map(({ agentSessionId }) => agentSessionId)).toEqual(['s1']);
});

test('a file that cannot be read is listed with the reason, and read when it can be', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  chmodSync(house.path('s1.jsonl'), 0);
  house.read();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) expect(house.indexer.progress().unreadable).toMatchObject([{ path: house.path('s1.jsonl'), reason: 'Signalbox may not read it.' }]);
  chmodSync(house.path('s1.jsonl'), 0o600);
  house.read();
  expect(house.story('s1')).toEqual(['1 > one']);
  expect(house.indexer.progress().unreadable).toEqual([]);
});

test('[R200] a conversation that a session of ours took up gets no numbers after it', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  house.write('s2.jsonl', [{ id: 'a', ask: 'ours' }]);
  house.indexer.takenUp(TOY, 's2', 0);
  expect(house.indexer.settle(TOY, 's1')).toMatchObject({ lastSeq: 1 });
  house.indexer.takenUp(TOY, 's1', 1);
  house.append('s1.jsonl', [{ id: 'b', parent: 'a', say: 'two' }]);
  house.read();
  expect(house.told.grownSessions).toEqual(expect.arrayContaining(['s1']));
  expect(house.story('s1')).toEqual(['1 > one']);
  expect(house.session('s2')).toBeUndefined();
  expect([...house.reader.sessions()].map(({ agentSessionId }) => agentSessionId)).toEqual(['s1']);
  const grown = house.reader.lines(TOY, 's1', {}, 10);
  expect(grown.lines.map(({ line }) => line.node?.id)).toEqual(['b']);
  expect(house.reader.lines(TOY, 's1', grown.place, 10)).toMatchObject({ lines: [], more: false });
});

test('a copy of a conversation knows which one it was copied from, whichever was read first', () => {
  const house = new ToyHouse();
  const shared = [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ];
  house.write('s1.jsonl', [...shared, { id: 'c', parent: 'b', say: 'three' }]);
  house.read();
  house.write('s2.jsonl', [...shared, { id: 'x', parent: 'b', say: 'another three' }]);
  house.read();
  expect(house.session('s2')?.parent).toEqual({ sessionId: archivedIdOf(TOY, 's1'), seq: 2 });
  expect(house.session('s1')?.parent).toBeUndefined();
  house.write('s3.jsonl', [{ id: 'z', ask: 'on', continues: { agentSessionId: 's1', upTo: 'b' } }]);
  house.read();
  expect(house.session('s3')?.parent).toEqual({ sessionId: archivedIdOf(TOY, 's1'), seq: 2 });
});

test('a record that is gone is not listed any more, and its events say so', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  house.read();
  rmSync(house.path('s1.jsonl'));
  house.read();
  expect(house.told.listedSessions.size).toBe(0);
  expect([...house.reader.sessions()]).toEqual([]);
  expect(house.session('s1')).toMatchObject({ past: { gone: true } });
  expect(house.story('s1')).toEqual([`1 ${GONE}`]);
});

test('what the record has no more is read from the copy that is kept of it', () => {
  const kept = new Map<string, Buffer>();
  const copies = { open: ({ path }: { readonly path: string }) => bytesIn(kept.get(path)) };
  const house = new ToyHouse({ copies });
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  house.read();
  kept.set(house.path('s1.jsonl'), readFileSync(house.path('s1.jsonl')));
  rmSync(house.path('s1.jsonl'));
  house.read();
  expect(house.story('s1')).toEqual(['1 > one', '2 two']);
  expect(house.session('s1')?.past).toMatchObject({ gone: true, kept: true });
  expect(house.told.listedSessions.size).toBe(1);
});

const bytesIn = (bytes: Buffer | undefined): RecordBytes | undefined =>
  bytes && { size: bytes.length, read: (from, to) => bytes.subarray(from, to), close: () => undefined };

test('a line that is longer than anybody should hold is an event that says so, and the next one is read', () => {
  const house = new ToyHouse();
  const long = `{"say":"${'x'.repeat(LIMITS.agentLineBytes)}"}`;
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }, long, { id: 'b', parent: 'a', say: 'two' }]);
  house.read();
  const [first, second, third] = house.events('s1');
  expect(first).toMatchObject({ text: 'one' });
  expect(second).toMatchObject({ type: 'unrecognised', reason: 'The line is longer than 64 MB.' });
  expect(third).toMatchObject({ text: 'two' });
});

test('what another version of the adapter makes of a line keeps its numbers, and more of it gets new ones', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  house.read();
  const before = house.told.batches.splice(0).flatMap(({ events }) => events);
  house.reopen({ version: 2, read: twice });
  house.read();
  expect(before.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(house.told.batches.flatMap(({ events }) => events).map((event) => `${event.seq} ${wordsOf(event)}`)).toEqual(['3 more', '4 more']);
});

const twice: AgentArchive['read'] = (text) => ({
  node: { id: /"id":"(\w)"/.exec(text)?.[1] ?? '', parent: null },
  observations: ['first', 'more'].map((word) => ({ type: 'notice.shown', level: 'info', text: word })),
});

test('what was spent is told with the event it belongs to, also again', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two', tokens: 5 },
    { id: 'c', parent: 'b', tokens: 7, at: at(3) },
  ]);
  house.read();
  const spent = house.told.batches.flatMap((batch) => batch.spent);
  expect(spent).toMatchObject([
    { seq: 2, usage: { inputTokens: 5 } },
    { seq: 2, usage: { inputTokens: 7 }, at: at(3) },
  ]);
  expect(house.reader.batch(archivedIdOf(TOY, 's1'), 0, 100)).toEqual({ events: house.told.batches.flatMap((batch) => batch.events), spent });
  expect(house.reader.batch(archivedIdOf(TOY, 's1'), 1, 100).events.map(({ seq }) => seq)).toEqual([2]);
});

test('a reader may be opened before there is an archive', () => {
  const house = new ToyHouse();
  expect(house.events('s1')).toEqual([]);
  expect([...house.reader.sessions()]).toEqual([]);
});

test('the raw lines of events are there for who asks', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', ['{"id":"a","ask":"one"}', { id: 'b', parent: 'a', say: 'two' }]);
  house.read();
  expect(house.reader.raw(archivedIdOf(TOY, 's1'), { limit: 10 })[0]).toEqual({ place: 1, bytes: 22, text: '{"id":"a","ask":"one"}' });
});

test('a record that breaks whoever reads it is named with the reason, and all others are read', () => {
  const bad = (): never => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  const trap = { type: 'assistant.text', messageId: 'm', index: 0, agentAt: at(9) } as const;
  const read: AgentArchive['read'] = (text, context) =>
    text.includes('trap')
      ? { observations: [Object.defineProperty({ ...trap, text: '' }, 'text', { get: bad, enumerable: true })] }
      : toyArchive('').read(text, context);
  const house = new ToyHouse({ changes: { read } });
  house.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  house.write('s3.jsonl', [{ id: 'a', ask: 'three' }]);
  house.write('s2.jsonl', [{ id: 'a', ask: 'two' }, 'trap']);
  house.read();
  expect([house.story('s1'), house.story('s3')]).toEqual([['1 > one'], ['1 > three']]);
  const unreadable = [{ path: house.path('s2.jsonl'), agent: TOY, reason: 'Maximum call stack size exceeded' }];
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', unreadable });
});

test('a short line that is nested thousands deep is told as deep as anybody walks', () => {
  const input = (text: string): Record<string, unknown> => JSON.parse(text);
  const read: AgentArchive['read'] = (text) => ({ observations: [{ type: 'tool.started', toolUseId: 't', name: 'Tool', input: input(text) }] });
  const house = new ToyHouse({ changes: { read } });
  house.write('s1.jsonl', [`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`]);
  house.read();
  expect(house.events('s1')).toHaveLength(1);
  expect(isDeep(house.events('s1')[0])).toBe(false);
  expect(house.told.batches.flatMap(({ events }) => events)).toEqual(house.events('s1'));
});

test('times are written in one way, whatever a line or a file bears', () => {
  const house = new ToyHouse();
  const odd = ['Thu, 01 Jan 2026 00:00:01 GMT', '2026-01-01T01:00:02+01:00', '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z', 'yesterday'];
  house.write(
    's1.jsonl',
    odd.map((time, index) => ({ id: `n${index}`, ...(index > 0 && { parent: `n${index - 1}` }), ask: String(index), at: time, tokens: 1 })),
  );
  house.write('s2.jsonl', [{ id: 'a', ask: 'one' }]);
  utimesSync(house.path('s2.jsonl'), 9e13, 9e13);
  house.read();
  const last = '9999-12-31T23:59:59.999Z';
  expect(house.events('s1').map((event) => event.at)).toEqual([at(1), at(2), last, new Date(0).toISOString(), new Date(0).toISOString()]);
  expect(house.session('s1')).toMatchObject({ createdAt: new Date(0).toISOString(), updatedAt: last });
  expect(house.told.batches.flatMap(({ events }) => events).sort((a, b) => a.seq - b.seq)).toHaveLength(6);
  for (const { at: time } of house.told.batches.flatMap(({ spent }) => spent)) expect(new Date(time).toISOString()).toBe(time);
  expect(house.session('s2')?.updatedAt).toMatch(/^\d{4}-/);
  house.reopen();
  house.read();
  expect(house.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [] });
  expect(house.story('s2')).toEqual(['1 > one']);
});

test('of long lines few are given at once, and whoever reads on gets the others', () => {
  const house = new ToyHouse();
  const ids = ['a', 'b', 'c'];
  house.write(
    's1.jsonl',
    ids.map((id) => ({ id, say: id.repeat(5 * 1024 * 1024), at: at(1) })),
  );
  house.indexer.takenUp(TOY, 's1', 0);
  house.read();
  const first = house.reader.lines(TOY, 's1', {}, 500);
  const second = house.reader.lines(TOY, 's1', first.place, 500);
  expect([first, second].map(({ lines, more }) => [lines.map(({ line }) => line.node?.id), more])).toEqual([
    [['a', 'b'], true],
    [['c'], false],
  ]);
});

test('a page of long lines is as long as was asked for', () => {
  const house = new ToyHouse();
  house.write(
    's1.jsonl',
    ['a', 'b', 'c', 'd'].map((say, index) => ({ say: say.repeat(5 * 1024 * 1024), at: at(index) })),
  );
  house.read();
  expect(house.events('s1', { after: 0, limit: 4 }).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(house.reader.batch(archivedIdOf(TOY, 's1'), 0, 4).events).toEqual(house.events('s1'));
  const row = { seq: 1, events: 1, skip: 0, file: 1, place: 0, branch: 1 };
  const sizes = [HELD_BYTES * 2, 1, HELD_BYTES - 1, 1, 1, LIMITS.agentLineBytes + 1];
  const stretches = stretchesOf(sizes.map((bytes) => ({ ...row, bytes })));
  expect(stretches.map((stretch) => stretch.map(({ bytes }) => bytes))).toEqual([[sizes[0]], [1, HELD_BYTES - 1], [1, 1, LIMITS.agentLineBytes + 1]]);
});

test('a long record that is settled is told in stretches', () => {
  const house = new ToyHouse();
  house.write(
    's1.jsonl',
    Array.from({ length: 4_500 }, (_, index) => ({ id: `n${index}`, say: 'x', at: at(1) })),
  );
  expect(house.indexer.settle(TOY, 's1')).toMatchObject({ lastSeq: 4_500, past: { read: true } });
  expect(house.told.batches.map(({ events }) => events.length)).toEqual([2_000, 2_000, 500]);
});

test('whoever reads on in a file that is another by now gets it from its beginning', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one', at: at(1) }]);
  house.indexer.takenUp(TOY, 's1', 0);
  house.read();
  const { place } = house.reader.lines(TOY, 's1', {}, 500);
  house.append('s1.jsonl', [{ id: 'b', say: 'two', at: at(2) }]);
  const idsFrom = () => house.reader.lines(TOY, 's1', place, 500).lines.map(({ line }) => line.node?.id);
  expect(idsFrom()).toEqual(['b']);
  house.write('s1.jsonl', [{ id: 'x', ask: 'something longer than what was there before', at: at(3) }]);
  expect(idsFrom()).toEqual(['x']);
});

test('parts that have the same line without id and time have it each', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', ['odd', 'odd', 'other']);
  house.write('s1/parts/p1.jsonl', ['odd', 'odder']);
  house.write('s1/parts/p2.jsonl', ['odder', 'odder']);
  house.read();
  expect(house.events('s1').map(wordsOf).sort()).toEqual(['? odd', '? odd', '? odd', '? odder', '? odder', '? odder', '? other']);
  house.reopen({ version: 2 });
  house.read();
  expect(house.events('s1')).toHaveLength(7);
});

test('that an adapter changed is told once of a conversation that a session of ours goes on with', () => {
  const house = new ToyHouse();
  house.write('s1.jsonl', [{ id: 'a', ask: 'one', at: at(1) }]);
  house.read();
  house.indexer.takenUp(TOY, 's1', 1);
  for (const _ of [1, 2]) {
    house.reopen({ version: 2 });
    for (const __ of [1, 2, 3]) house.read();
  }
  expect(house.told.grownSessions).toEqual(['s1']);
});
