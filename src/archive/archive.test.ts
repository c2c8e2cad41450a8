import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOY, toyArchive } from '../../test/support/archive/toy-archive.ts';
import { ToySetup, textOfEvent } from '../../test/support/archive/toy-setup.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { AgentArchive } from '../agents/port/archive.ts';
import { archivedIdOf } from '../agents/port/archived-id.ts';
import { isDeep } from '../domain/long-content.ts';
import { Event } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';
import { batchesOf, HELD_BYTES } from './records/load-lines.ts';
import type { RecordBytes } from './records/record-bytes.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const GONE = 'The agent removed this part of the conversation from its record.';

test('a record is listed after a quick look, and then read', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', parent: null, ask: 'Hello there', at: at(1), cwd: '/work' },
    { id: 'b', parent: 'a', say: 'Hi', at: at(2) },
  ]);
  setup.indexer.sweep();
  expect(setup.indexer.progress().phase).toBe('looking');
  setup.indexer.step();
  expect([...setup.reported.listedSessions.values()]).toMatchObject([{ title: 'Hello there', lastSeq: 0, past: { read: false } }]);
  while (setup.indexer.step());
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', sessions: { done: 1, total: 1 } });
  expect(setup.transcript('s1')).toEqual(['1 > Hello there', '2 Hi']);
  expect(setup.session('s1')).toMatchObject({ cwd: '/work', createdAt: at(1), updatedAt: at(2), lastLine: 'Hi', isOpen: false, past: { read: true } });
  expect(setup.reported.batches.flatMap(({ events }) => events)).toEqual(setup.events('s1'));
  for (const event of setup.events('s1')) expect(Event.safeParse(event).success).toBe(true);
});

test('[R199] a partial last line waits for its rest', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', parent: null, ask: 'one' }]);
  setup.append('s1.jsonl', []);
  writeFileSync(setup.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","par');
  setup.read();
  setup.read();
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one']);
  writeFileSync(setup.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","parent":"a","say":"two"}\n');
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two']);
});

test('a complete last line without its newline is read once nobody is writing anymore', () => {
  const setup = new ToySetup();
  mkdirSync(setup.root, { recursive: true });
  writeFileSync(setup.path('s1.jsonl'), '{"id":"a","ask":"one"}\n{"id":"b","parent":"a","say":"two"}');
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one']);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two']);
  setup.append('s1.jsonl', ['', { id: 'c', parent: 'b', say: 'three' }]);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two', '3 three']);
});

test('a broken line is an event, and those around it are read', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }, '{"id":"b', { id: 'c', parent: 'a', say: 'three' }]);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 ? {"id":"b', '3 three']);
});

test('[R196] numbers stay when a file is replaced; a removed line leaves a tombstone and new lines follow', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
    { id: 'c', parent: 'b', say: 'three' },
  ]);
  setup.read();
  setup.replace('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'c', parent: 'b', say: 'three' },
    { id: 'd', parent: 'c', say: 'four' },
  ]);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', `2 ${GONE}`, '3 three', '4 four']);
});

test('a file that shrank in place is read again', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  setup.read();
  setup.write('s1.jsonl', [{ id: 'b', parent: 'a', say: 'two' }]);
  setup.read();
  expect(setup.transcript('s1')).toEqual([`1 ${GONE}`, '2 two']);
});

test('a file that was rewritten in place and is now longer is recognized by its first bytes', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  setup.read();
  setup.write('s1.jsonl', [
    { id: 'x', ask: 'another beginning' },
    { id: 'a', ask: 'one' },
  ]);
  setup.read();
  expect(setup.transcript('s1', 1)).toEqual(['1 > one']);
  expect(setup.transcript('s1', 2)).toEqual(['2 > another beginning']);
});

test('[R197] a line that the session already has is a repeat, whichever file it is in', () => {
  const setup = new ToySetup();
  const lines = [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ];
  setup.write('s1.jsonl', [...lines, ...lines]);
  setup.read();
  setup.write('elsewhere/s1.jsonl', lines);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two']);
  rmSync(setup.path('s1.jsonl'));
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two']);
  expect(setup.session('s1')?.past.gone).toBe(false);
});

test('lines without an id are identified by their text, and without a time also by how often it occurred', () => {
  const setup = new ToySetup();
  const lines = [{ say: 'timed', at: at(1) }, { say: 'timed', at: at(1) }, { say: 'mode' }, { say: 'other' }, { say: 'mode' }];
  setup.write('s1.jsonl', lines);
  setup.read();
  const before = setup.transcript('s1');
  expect(before).toEqual(['1 timed', '2 mode', '3 other', '4 mode']);
  setup.replace('s1.jsonl', [...lines, { say: 'mode' }]);
  setup.read();
  expect(setup.transcript('s1')).toEqual([...before, '5 mode']);
});

test('branches are numbered as they appear, and a page shows one of them', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'first answer' },
    { id: 'c', parent: 'b', ask: 'go on' },
    { id: 'd', parent: 'a', say: 'second answer' },
    { id: 'e', parent: 'd', ask: 'on here' },
    { id: 'f', parent: 'c', say: 'back in the first' },
  ]);
  setup.read();
  const branches = setup.reader.branches(archivedIdOf(TOY, 's1'));
  expect(branches).toMatchObject([
    { branch: 1, lastSeq: 6, events: 4, title: 'one', active: true },
    { branch: 2, lastSeq: 5, events: 2, title: 'second answer', active: false, from: { branch: 1, seq: 1 } },
  ]);
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 first answer', '3 > go on', '6 back in the first']);
  expect(setup.transcript('s1', 2)).toEqual(['1 > one', '4 second answer', '5 > on here']);
  expect(setup.events('s1', { branch: 2, after: 1, limit: 1 }).map(({ seq }) => seq)).toEqual([4]);
  expect(setup.events('s1', { branch: 2, before: 5, limit: 1 }).map(({ seq }) => seq)).toEqual([4]);
  expect(setup.events('s1', { before: 6, limit: 2 }).map(({ seq }) => seq)).toEqual([2, 3]);
});

test('parallel results stay in the branch of their calls', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', call: 'x' },
    { id: 'c', parent: 'b', call: 'y' },
    { id: 'rx', parent: 'b', joins: true, result: 'x' },
    { id: 'ry', parent: 'c', joins: true, result: 'y' },
    { id: 'd', parent: 'rx', say: 'done' },
  ]);
  setup.read();
  expect(setup.transcript('s1')).toHaveLength(6);
  expect(setup.reader.branches(archivedIdOf(TOY, 's1'))).toHaveLength(1);
});

test('the files of a session are merged by time at first, and later lines come after', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one', at: at(1) },
    { id: 'b', parent: 'a', call: 'x', at: at(2) },
    { id: 'c', parent: 'b', result: 'x', at: at(5) },
  ]);
  setup.write('s1/parts/p.jsonl', [
    { say: 'inside', at: at(3) },
    { say: 'still inside', at: at(4) },
  ]);
  writeFileSync(setup.path('s1/parts/p.meta'), 'x');
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 tool.started x', '3 inside', '4 still inside', '5 tool.completed x']);
  expect(setup.events('s1')[2]).toMatchObject({ parentToolUseId: 'x' });
  setup.write('s1/parts/q.jsonl', [{ say: 'another', at: at(3) }]);
  setup.read();
  expect(setup.transcript('s1').at(-1)).toBe('6 another');
});

test('a line without a time gets the previous one, marked as a guess', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one', at: at(1) },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  setup.read();
  expect(setup.events('s1')).toMatchObject([{ at: at(1) }, { at: at(1), atKnown: false }]);
  expect(setup.events('s1', { after: 1 })).toMatchObject([{ at: at(1), atKnown: false }]);
});

test('long texts and images are referenced by hash and found again', () => {
  const setup = new ToySetup();
  const long = 'x'.repeat(100_000);
  setup.write('s1.jsonl', [{ id: 'a', ask: long, image: Buffer.from('picture').toString('base64') }]);
  setup.read();
  const [event] = setup.events('s1');
  if (event?.type !== 'user.message') throw new Error('no message');
  expect(event.text.length).toBeLessThan(10_000);
  expect(Buffer.from(setup.reader.blob(event.blobs?.text?.sha256 ?? '') ?? []).toString()).toBe(long);
  expect(Buffer.from(setup.reader.blob(event.images?.[0]?.sha256 ?? '') ?? []).toString()).toBe('picture');
  expect(setup.reader.blob('0'.repeat(64))).toBeUndefined();
  expect(Event.safeParse(event).success).toBe(true);
});

test('[R198] a symbolic link is not followed, whether it leaves the root or stays in it', () => {
  const setup = new ToySetup();
  const outside = temporaryFolder('outside');
  writeFileSync(join(outside, 'secret.jsonl'), '{"id":"a","ask":"secret"}\n');
  mkdirSync(setup.root, { recursive: true });
  symlinkSync(outside, setup.path('out'));
  symlinkSync(join(outside, 'secret.jsonl'), setup.path('s2.jsonl'));
  symlinkSync(setup.root, setup.path('loop'));
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  setup.read();
  setup.indexer.touched(setup.path('out/secret.jsonl'));
  setup.indexer.touched(setup.path('s2.jsonl'));
  while (setup.indexer.step());
  expect([...setup.reported.listedSessions.values()].map(({ agentSessionId }) => agentSessionId)).toEqual(['s1']);
});

test('an unreadable file is listed with the reason, and read once it can be', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  chmodSync(setup.path('s1.jsonl'), 0);
  setup.read();
  const isRoot = process.getuid?.() === 0;
  if (!isRoot)
    expect(setup.indexer.progress().unreadable).toMatchObject([
      { path: setup.path('s1.jsonl'), reason: 'Permission denied. Let the user that runs Signalbox read it.' },
    ]);
  chmodSync(setup.path('s1.jsonl'), 0o600);
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one']);
  expect(setup.indexer.progress().unreadable).toEqual([]);
});

test('[R200] an adopted conversation gets no new numbers', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  setup.write('s2.jsonl', [{ id: 'a', ask: 'ours' }]);
  setup.indexer.adopted(TOY, 's2', 0);
  expect(setup.indexer.readNow(TOY, 's1')).toMatchObject({ lastSeq: 1 });
  setup.indexer.adopted(TOY, 's1', 1);
  setup.append('s1.jsonl', [{ id: 'b', parent: 'a', say: 'two' }]);
  setup.read();
  expect(setup.reported.grownSessions).toEqual(expect.arrayContaining(['s1']));
  expect(setup.transcript('s1')).toEqual(['1 > one']);
  expect(setup.session('s2')).toBeUndefined();
  expect([...setup.reader.sessions()].map(({ agentSessionId }) => agentSessionId)).toEqual(['s1']);
  const grown = setup.reader.lines(TOY, 's1', {}, 10);
  expect(grown.lines.map(({ line }) => line.node?.id)).toEqual(['b']);
  expect(setup.reader.lines(TOY, 's1', grown.position, 10)).toMatchObject({ lines: [], more: false });
});

test('a copy of a conversation knows its original, whichever was read first', () => {
  const setup = new ToySetup();
  const shared = [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ];
  setup.write('s1.jsonl', [...shared, { id: 'c', parent: 'b', say: 'three' }]);
  setup.read();
  setup.write('s2.jsonl', [...shared, { id: 'x', parent: 'b', say: 'another three' }]);
  setup.read();
  expect(setup.session('s2')?.parent).toEqual({ sessionId: archivedIdOf(TOY, 's1'), seq: 2 });
  expect(setup.session('s1')?.parent).toBeUndefined();
  setup.write('s3.jsonl', [{ id: 'z', ask: 'on', continues: { agentSessionId: 's1', upTo: 'b' } }]);
  setup.read();
  expect(setup.session('s3')?.parent).toEqual({ sessionId: archivedIdOf(TOY, 's1'), seq: 2 });
});

test('a missing record is no longer listed, and its events say so', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  setup.read();
  rmSync(setup.path('s1.jsonl'));
  setup.read();
  expect(setup.reported.listedSessions.size).toBe(0);
  expect([...setup.reader.sessions()]).toEqual([]);
  expect(setup.session('s1')).toMatchObject({ past: { gone: true } });
  expect(setup.transcript('s1')).toEqual([`1 ${GONE}`]);
});

test('what is no longer in the record is read from its kept copy', () => {
  const kept = new Map<string, Buffer>();
  const copies = { open: ({ path }: { readonly path: string }) => bytesIn(kept.get(path)) };
  const setup = new ToySetup({ copies });
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  setup.read();
  kept.set(setup.path('s1.jsonl'), readFileSync(setup.path('s1.jsonl')));
  rmSync(setup.path('s1.jsonl'));
  setup.read();
  expect(setup.transcript('s1')).toEqual(['1 > one', '2 two']);
  expect(setup.session('s1')?.past).toMatchObject({ gone: true, kept: true });
  expect(setup.reported.listedSessions.size).toBe(1);
});

const bytesIn = (bytes: Buffer | undefined): RecordBytes | undefined =>
  bytes && { size: bytes.length, read: (from, to) => bytes.subarray(from, to), close: () => undefined };

test('a line that is too long becomes an event that says so, and the next one is read', () => {
  const setup = new ToySetup();
  const long = `{"say":"${'x'.repeat(LIMITS.agentLineBytes)}"}`;
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }, long, { id: 'b', parent: 'a', say: 'two' }]);
  setup.read();
  const [first, second, third] = setup.events('s1');
  expect(first).toMatchObject({ text: 'one' });
  expect(second).toMatchObject({ type: 'unrecognised', reason: 'The line is longer than 64 MB.' });
  expect(third).toMatchObject({ text: 'two' });
});

test('events of a line keep their numbers with a new adapter version, and additional ones get new numbers', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two' },
  ]);
  setup.read();
  const before = setup.reported.batches.splice(0).flatMap(({ events }) => events);
  setup.reopen({ version: 2, read: twice });
  setup.read();
  expect(before.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(setup.reported.batches.flatMap(({ events }) => events).map((event) => `${event.seq} ${textOfEvent(event)}`)).toEqual(['3 more', '4 more']);
});

const twice: AgentArchive['read'] = (text) => ({
  node: { id: /"id":"(\w)"/.exec(text)?.[1] ?? '', parent: null },
  observations: ['first', 'more'].map((word) => ({ type: 'notice.shown', level: 'info', text: word })),
});

test('usage is reported with the event it belongs to, also when read again', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [
    { id: 'a', ask: 'one' },
    { id: 'b', parent: 'a', say: 'two', tokens: 5 },
    { id: 'c', parent: 'b', tokens: 7, at: at(3) },
  ]);
  setup.read();
  const spent = setup.reported.batches.flatMap((batch) => batch.spent);
  expect(spent).toMatchObject([
    { seq: 2, usage: { inputTokens: 5 } },
    { seq: 2, usage: { inputTokens: 7 }, at: at(3) },
  ]);
  expect(setup.reader.batch(archivedIdOf(TOY, 's1'), 0, 100)).toEqual({ events: setup.reported.batches.flatMap((batch) => batch.events), spent });
  expect(setup.reader.batch(archivedIdOf(TOY, 's1'), 1, 100).events.map(({ seq }) => seq)).toEqual([2]);
});

test('a reader can be opened before there is an archive', () => {
  const setup = new ToySetup();
  expect(setup.events('s1')).toEqual([]);
  expect([...setup.reader.sessions()]).toEqual([]);
});

test('the raw lines of events can be read', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', ['{"id":"a","ask":"one"}', { id: 'b', parent: 'a', say: 'two' }]);
  setup.read();
  expect(setup.reader.raw(archivedIdOf(TOY, 's1'), { limit: 10 })[0]).toEqual({ place: 1, bytes: 22, text: '{"id":"a","ask":"one"}' });
});

test('a record that breaks the reader is listed with the reason, and all others are read', () => {
  const bad = (): never => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  const trap = { type: 'assistant.text', messageId: 'm', index: 0, agentAt: at(9) } as const;
  const read: AgentArchive['read'] = (text, context) =>
    text.includes('trap')
      ? { observations: [Object.defineProperty({ ...trap, text: '' }, 'text', { get: bad, enumerable: true })] }
      : toyArchive('').read(text, context);
  const setup = new ToySetup({ changes: { read } });
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one' }]);
  setup.write('s3.jsonl', [{ id: 'a', ask: 'three' }]);
  setup.write('s2.jsonl', [{ id: 'a', ask: 'two' }, 'trap']);
  setup.read();
  expect([setup.transcript('s1'), setup.transcript('s3')]).toEqual([['1 > one'], ['1 > three']]);
  const unreadable = [{ path: setup.path('s2.jsonl'), agent: TOY, reason: 'Maximum call stack size exceeded' }];
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', unreadable });
});

test('a short line with thousands of nested levels is cut at the depth limit', () => {
  const input = (text: string): Record<string, unknown> => JSON.parse(text);
  const read: AgentArchive['read'] = (text) => ({ observations: [{ type: 'tool.started', toolUseId: 't', name: 'Tool', input: input(text) }] });
  const setup = new ToySetup({ changes: { read } });
  setup.write('s1.jsonl', [`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`]);
  setup.read();
  expect(setup.events('s1')).toHaveLength(1);
  expect(isDeep(setup.events('s1')[0])).toBe(false);
  expect(setup.reported.batches.flatMap(({ events }) => events)).toEqual(setup.events('s1'));
});

test('times have one format, whatever a line or a file contains', () => {
  const setup = new ToySetup();
  const odd = ['Thu, 01 Jan 2026 00:00:01 GMT', '2026-01-01T01:00:02+01:00', '+275760-09-13T00:00:00.000Z', '-000001-01-01T00:00:00Z', 'yesterday'];
  setup.write(
    's1.jsonl',
    odd.map((time, index) => ({ id: `n${index}`, ...(index > 0 && { parent: `n${index - 1}` }), ask: String(index), at: time, tokens: 1 })),
  );
  setup.write('s2.jsonl', [{ id: 'a', ask: 'one' }]);
  utimesSync(setup.path('s2.jsonl'), 9e13, 9e13);
  setup.read();
  const last = '9999-12-31T23:59:59.999Z';
  expect(setup.events('s1').map((event) => event.at)).toEqual([at(1), at(2), last, new Date(0).toISOString(), new Date(0).toISOString()]);
  expect(setup.session('s1')).toMatchObject({ createdAt: new Date(0).toISOString(), updatedAt: last });
  expect(setup.reported.batches.flatMap(({ events }) => events).sort((a, b) => a.seq - b.seq)).toHaveLength(6);
  for (const { at: time } of setup.reported.batches.flatMap(({ spent }) => spent)) expect(new Date(time).toISOString()).toBe(time);
  expect(setup.session('s2')?.updatedAt).toMatch(/^\d{4}-/);
  setup.reopen();
  setup.read();
  expect(setup.indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [] });
  expect(setup.transcript('s2')).toEqual(['1 > one']);
});

test('long lines come a few at a time, and reading on returns the rest', () => {
  const setup = new ToySetup();
  const ids = ['a', 'b', 'c'];
  setup.write(
    's1.jsonl',
    ids.map((id) => ({ id, say: id.repeat(5 * 1024 * 1024), at: at(1) })),
  );
  setup.indexer.adopted(TOY, 's1', 0);
  setup.read();
  const first = setup.reader.lines(TOY, 's1', {}, 500);
  const second = setup.reader.lines(TOY, 's1', first.position, 500);
  expect([first, second].map(({ lines, more }) => [lines.map(({ line }) => line.node?.id), more])).toEqual([
    [['a', 'b'], true],
    [['c'], false],
  ]);
});

test('a page of long lines has the requested length', () => {
  const setup = new ToySetup();
  setup.write(
    's1.jsonl',
    ['a', 'b', 'c', 'd'].map((say, index) => ({ say: say.repeat(5 * 1024 * 1024), at: at(index) })),
  );
  setup.read();
  expect(setup.events('s1', { after: 0, limit: 4 }).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(setup.reader.batch(archivedIdOf(TOY, 's1'), 0, 4).events).toEqual(setup.events('s1'));
  const row = { seq: 1, events: 1, skip: 0, file: 1, place: 0, branch: 1 };
  const sizes = [HELD_BYTES * 2, 1, HELD_BYTES - 1, 1, 1, LIMITS.agentLineBytes + 1];
  const batches = batchesOf(sizes.map((bytes) => ({ ...row, bytes })));
  expect(batches.map((batch) => batch.map(({ bytes }) => bytes))).toEqual([[sizes[0]], [1, HELD_BYTES - 1], [1, 1, LIMITS.agentLineBytes + 1]]);
});

test('a long record that is read at once is reported in batches', () => {
  const setup = new ToySetup();
  setup.write(
    's1.jsonl',
    Array.from({ length: 4_500 }, (_, index) => ({ id: `n${index}`, say: 'x', at: at(1) })),
  );
  expect(setup.indexer.readNow(TOY, 's1')).toMatchObject({ lastSeq: 4_500, past: { read: true } });
  expect(setup.reported.batches.map(({ events }) => events.length)).toEqual([2_000, 2_000, 500]);
});

test('reading on in a replaced file starts at its first line', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one', at: at(1) }]);
  setup.indexer.adopted(TOY, 's1', 0);
  setup.read();
  const { position } = setup.reader.lines(TOY, 's1', {}, 500);
  setup.append('s1.jsonl', [{ id: 'b', say: 'two', at: at(2) }]);
  const idsFrom = () => setup.reader.lines(TOY, 's1', position, 500).lines.map(({ line }) => line.node?.id);
  expect(idsFrom()).toEqual(['b']);
  setup.write('s1.jsonl', [{ id: 'x', ask: 'something longer than what was there before', at: at(3) }]);
  expect(idsFrom()).toEqual(['x']);
});

test('parts that share a line without id and time each keep it', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', ['odd', 'odd', 'other']);
  setup.write('s1/parts/p1.jsonl', ['odd', 'odder']);
  setup.write('s1/parts/p2.jsonl', ['odder', 'odder']);
  setup.read();
  expect(setup.events('s1').map(textOfEvent).sort()).toEqual(['? odd', '? odd', '? odd', '? odder', '? odder', '? odder', '? other']);
  setup.reopen({ version: 2 });
  setup.read();
  expect(setup.events('s1')).toHaveLength(7);
});

test('a changed adapter is reported once for an adopted conversation', () => {
  const setup = new ToySetup();
  setup.write('s1.jsonl', [{ id: 'a', ask: 'one', at: at(1) }]);
  setup.read();
  setup.indexer.adopted(TOY, 's1', 1);
  for (const _ of [1, 2]) {
    setup.reopen({ version: 2 });
    for (const __ of [1, 2, 3]) setup.read();
  }
  expect(setup.reported.grownSessions).toEqual(['s1']);
});
