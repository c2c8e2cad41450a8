import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  called,
  eventsFrom,
  idOf,
  indexedSession,
  prompt,
  readerAt,
  returned,
  StoredEvents,
  spoken,
  timeAt,
  writerAt,
} from '../../../test/support/index/index-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import type { SearchQuery } from '../../protocol/api/search.ts';
import { BadCursor, BadQuery } from '../list/session-list.ts';
import type { IndexedSession, IndexReader, IndexWriter } from '../store/index-store.ts';

const folder = temporaryFolder();
let writer: IndexWriter;
let reader: IndexReader;
let pastSessions: StoredEvents;
beforeEach(() => {
  const path = join(folder.make(), 'library.db');
  writer = writerAt(path);
  reader = readerAt(path);
  pastSessions = new StoredEvents();
});
afterEach(() => {
  reader.close();
  writer.close();
});

function put(id: string, bodies: readonly object[], fields: Partial<IndexedSession> = {}): void {
  const session = indexedSession(id, fields);
  writer.put(session, pastSessions.add(session.id, eventsFrom(bodies, writer.pastCursor(session.id) + 1)), []);
}

let position = 0;
function follow(id: string, bodies: readonly object[], first = 1): void {
  const events = pastSessions.add(idOf(id), eventsFrom(bodies, first));
  writer.follow(events.map((event) => ({ position: ++position, session: idOf(id), event })));
}
const created = (fields: object = {}) => ({ type: 'session.created', agent: 'demo', cwd: '/home/me/own', node: 'n', owner: 'o', options: {}, ...fields });

const search = (query: SearchQuery | string) => reader.search(typeof query === 'string' ? { q: query } : query, pastSessions);
const placesOf = (query: SearchQuery | string) => search(query).hits.map((hit) => `${hit.sessionId}#${hit.seq} ${hit.kind}`);

test('a word is found in prompts, answers, thinking, calls, results and diffs, and shown in context', () => {
  put('a', [
    prompt('find the needle'),
    { type: 'assistant.thinking', messageId: 'm', index: 0, text: 'a needle, perhaps' },
    spoken('the NEEDLE is here'),
    called('t', 'Edit', { file_path: '/w/a.ts', old: 'x', nested: [{ text: 'needle in a call' }] }),
    returned('t', 'a needle came out', { change: { kind: 'edit', path: '/w/a.ts', patch: '@@ -1 +1 @@\n-x\n+needle' } }),
    spoken('nothing'),
  ]);
  const found = search('needle');
  expect([...placesOf('needle')].sort()).toEqual(['a#1 prompt', 'a#2 thinking', 'a#3 answer', 'a#4 tool', 'a#5 diff', 'a#5 output']);
  expect(found).toMatchObject({ total: 6, more: false });
  for (const hit of found.hits) for (const [from, to] of hit.marks) expect(hit.snippet.slice(from, to).toLowerCase()).toBe('needle');
  expect(found.hits.find((hit) => hit.kind === 'output')).toMatchObject({ tool: 'Edit', path: '/w/a.ts' });
});

const HAYSTACK = [
  'call foo_bar(1) now', // 1
  'foo bar apart', // 2
  'foo-bar', // 3
  'a.b::c(x)', // 4
  'a b c', // 5
  'fooBarBaz', // 6
  'Über Straße naïve', // 7
  '日本語の検索', // 8
  'colour: the end', // 9
  'xfoo_bar(', // 10
];
const found: readonly (readonly [string, readonly number[]])[] = [
  ['foo', [1, 2, 3]],
  ['bar', [1, 2, 3, 10]],
  ['foo_bar(', [1]],
  ['"foo bar"', [2]],
  ['"FOO   BAR"', [2]],
  ['foo-bar', [3]],
  ['a.b::c', [4]],
  ['fooBar*', [6]],
  ['foobarbaz', [6]],
  ['foo*', [1, 2, 3, 6]],
  ['uber strasse', []],
  ['uber naive', [7]],
  ['NAÏVE', [7]],
  ['検索', [8]],
  ['本語', [8]],
  ['語本', []],
  ['colour:', [9]],
  ['"colour: the', [9]],
  ['foo ( now', [1]],
  ['foo absent', []],
];
for (const [query, seqs] of found) {
  test(seqs.length === 0 ? `${query} is found in no line` : `${query} is found in lines ${seqs.join(', ')}`, () => {
    put('a', HAYSTACK.map(spoken), { title: '' });
    expect(
      search(query)
        .hits.map((hit) => hit.seq)
        .sort((a, b) => a - b),
    ).toEqual(seqs);
  });
}

const filters: readonly (readonly [SearchQuery, readonly string[]])[] = [
  [{ q: 'word agent:demo' }, ['a']],
  [{ q: 'word agent:oth' }, ['b']],
  [{ q: 'word agent:demo,other' }, ['a', 'b']],
  [{ q: 'word', agent: 'other' }, ['b']],
  [{ q: 'word agent:nobody' }, []],
  [{ q: 'word project:Home' }, ['b']],
  [{ q: 'word', project: 'p-work' }, ['a']],
  [{ q: 'word kind:output' }, ['a']],
  [{ q: 'word kind:prompt' }, ['b']],
  [{ q: 'word tool:bash' }, ['a']],
  [{ q: 'word tool:ba*' }, ['a']],
  [{ q: 'word tool:"bash x"' }, []],
  [{ q: 'word is:error' }, ['a']],
  [{ q: 'is:error' }, ['a']],
  [{ q: 'word', session: idOf('b') }, ['b']],
  [{ q: 'word', session: idOf('absent') }, []],
  [{ q: `word after:${timeAt(2)}` }, ['a']],
  [{ q: `word before:${timeAt(2)}` }, ['b']],
  [{ q: 'word after:2027' }, []],
];
for (const [query, sessions] of filters) {
  test(`${JSON.stringify(query)} is found in ${sessions.join(', ') || 'no session'}`, () => {
    put('a', [called('t', 'Bash', { command: 'ls' }), returned('t', 'a word', { isError: true })]);
    put('b', [prompt('a word')], { agent: 'other' as IndexedSession['agent'], project: 'Home', projectId: 'p-home' });
    expect([...new Set(search(query).hits.map((hit) => hit.sessionId))].sort()).toEqual(sessions);
  });
}

test('an invalid query is refused with a message', () => {
  for (const q of ['', '=>', 'kind:nonsense', 'is:green', 'before:tomorrow', 'after:2026-02-31', 'a*']) expect(() => search(q)).toThrow(BadQuery);
  expect(() => search({ q: 'x', cursor: 'nonsense' })).toThrow(BadCursor);
});

test('[R219] a file is found by the end of its path: each session once, at its last touch, newest first', () => {
  const edit = { change: { kind: 'edit', path: '/w/src/a.ts', patch: '+x' } };
  put('a', [called('t', 'Edit', { file_path: '/w/src/a.ts' }), returned('t', 'done', edit), prompt('thanks')]);
  put('b', [prompt('x'), prompt('y'), called('u', 'Read', { path: 'src/a.ts' }), returned('u', 'text'), prompt('z')]);
  put('c', [called('t', 'Read', { path: '/w/src/aa.ts' })]);
  expect(placesOf('path:src/a.ts')).toEqual(['b#3 tool', 'a#2 diff']);
  expect(placesOf('path:a.ts agent:demo')).toEqual(['b#3 tool', 'a#2 diff']);
  expect(placesOf({ path: 'w/src', session: idOf('c') })).toEqual(['c#1 tool']);
  expect(placesOf('path:rc/a.ts')).toEqual([]);
  expect(placesOf('path:a.ts kind:output text')).toEqual(['b#4 output']);
});

test('the current title and notes of a session are found', () => {
  follow('own', [created(), { type: 'input.accepted', commandId: 'c', text: 'first words', mode: 'queue' }]);
  expect(placesOf('kind:title first')).toEqual(['own#1 title']);
  follow('own', [{ type: 'meta.changed', title: 'given name', note: 'remember milk' }], 3);
  follow('own', [{ type: 'item.marked', target: 2, item: 'i', note: 'this one' }], 4);
  expect(placesOf('kind:title first')).toEqual([]);
  expect(placesOf('given')).toEqual(['own#1 title']);
  expect(placesOf('milk')).toEqual(['own#3 note']);
  expect(placesOf('"this one"')).toEqual(['own#2 note']);
  follow(
    'own',
    [
      { type: 'meta.changed', note: null },
      { type: 'item.marked', target: 2, item: 'i', note: 'that one' },
    ],
    5,
  );
  expect(placesOf('milk')).toEqual([]);
  expect(placesOf('this')).toEqual([]);
  expect(placesOf('that')).toEqual(['own#2 note']);
});

test('a deleted session is no longer found, and its numbers are reused', () => {
  follow('own', [created({ title: 'secret plan' }), prompt('secret words')]);
  put('a', [prompt('secret too')]);
  expect(placesOf('secret')).toHaveLength(3);
  follow('own', [{ type: 'session.deleted' }], 3);
  expect(placesOf('secret')).toEqual(['a#1 prompt']);
  writer.forget(idOf('a'));
  expect([placesOf('secret'), writer.pastCursor(idOf('a'))]).toEqual([[], 0]);
  put('b', [prompt('secret again')]);
  expect(placesOf('secret')).toEqual(['b#1 prompt']);
});

test('what a fork repeats is found once, in the original, and in the fork if requested or if the original is gone', () => {
  follow('first', [created(), prompt('shared words')]);
  follow('fork', [created({ parent: { sessionId: 'first', seq: 2 } }), { ...prompt('shared words'), inherited: true }]);
  expect(placesOf('shared kind:prompt')).toEqual(['first#2 prompt']);
  expect(placesOf({ q: 'shared kind:prompt', session: idOf('fork') })).toEqual(['fork#2 prompt']);
  follow('first', [{ type: 'session.deleted' }], 3);
  expect(placesOf('shared kind:prompt')).toEqual(['fork#2 prompt']);
});

test('[R218] a session that the viewer is not allowed to see is neither found nor counted', () => {
  follow('first', [created({ title: 'shared name' }), prompt('shared words'), called('t', 'Read', { path: '/w/a.ts' })]);
  follow('fork', [created({ parent: { sessionId: 'first', seq: 2 } }), { ...prompt('shared words'), inherited: true }]);
  const sources = { event: (id: typeof firstId, seq: number) => pastSessions.event(id, seq), isHidden: (id: typeof firstId) => id === firstId };
  expect(reader.search({ q: 'shared kind:prompt' }, sources)).toMatchObject({ hits: [{ sessionId: 'fork', seq: 2 }], total: 1 });
  expect(reader.search({ q: 'path:a.ts' }, sources)).toMatchObject({ hits: [], total: 0 });
});
const firstId = idOf('first');

test('a word far into a long text is found, and shown from the full text', () => {
  const long = `${'hay '.repeat(20_000)}needle(1) ${'hay '.repeat(2_000)}`;
  const sha256 = 'a'.repeat(64);
  const cut = { ...returned('t', long.slice(0, 4096)), blobs: { output: { sha256, bytes: long.length } } };
  const path = join(folder.make(), 'library.db');
  const blob = (wanted: string) => (wanted === sha256 ? long : undefined);
  const own = writerAt(path, blob);
  own.put(indexedSession('a'), pastSessions.add(idOf('a'), eventsFrom([cut])), []);
  const [hit] = readerAt(path).search({ q: 'needle(' }, { event: (id, seq) => pastSessions.event(id, seq), blob }).hits;
  expect(hit).toMatchObject({ sessionId: 'a', seq: 1, kind: 'output' });
  expect(hit?.snippet).toContain('needle(1)');
  own.close();
});

test('a session whose project changes is found under the new one only', () => {
  put('a', [prompt('a word')]);
  writer.describe(indexedSession('a', { project: 'other', projectId: 'p-other' }));
  put('a', [prompt('another word')], { project: 'other', projectId: 'p-other' });
  expect(placesOf('word project:other').sort()).toEqual(['a#1 prompt', 'a#2 prompt']);
  expect(placesOf('word project:work')).toEqual([]);
});

test('[R217] pages of a common word go through all hits once, newest first, even while older and newer ones are added', () => {
  for (let count = 0; count < 30; count++)
    put(
      `s${count}`,
      Array.from({ length: 50 }, (_, line) => prompt(`common ${line}`)),
    );
  const seen: string[] = [];
  const first = search({ q: 'common', limit: 200 });
  expect(first).toMatchObject({ total: 1000, more: true });
  for (let page = first; ; page = search({ q: 'common', limit: 200, cursor: page.nextCursor! })) {
    seen.push(...page.hits.map((hit) => `${hit.at} ${hit.sessionId}#${hit.seq}`));
    if (page.nextCursor === undefined) break;
    put(`late${seen.length}`, [{ ...prompt('common and newer'), at: timeAt(10_000) }], { createdAt: timeAt(10_000) });
  }
  expect(new Set(seen).size).toBe(1500);
  const times = seen.map((place) => place.slice(0, 24));
  expect(times).toEqual([...times].sort().reverse());
});

test('pages of a rare word go through all hits once, best first', () => {
  put(
    'a',
    Array.from({ length: 40 }, (_, line) => spoken(`rare ${'filler '.repeat(line)}`)),
  );
  put('b', [prompt('rare rare')]);
  const first = search({ q: 'rare', limit: 15 });
  const second = search({ q: 'rare', limit: 15, cursor: first.nextCursor! });
  const third = search({ q: 'rare', limit: 15, cursor: second.nextCursor! });
  const seen = [first, second, third].flatMap((page) => page.hits.map((hit) => `${hit.sessionId}${hit.seq}`));
  expect(seen[0]).toBe('b1');
  expect(new Set(seen).size).toBe(41);
  expect([first.total, third.nextCursor]).toEqual([41, undefined]);
});

test('a fragment that many texts almost contain is searched in steps, and nothing is missed', () => {
  put(
    'a',
    Array.from({ length: 900 }, (_, line) => spoken(line === 3 ? 'foo_bar(' : 'foo bar')),
  );
  const seen: number[] = [];
  for (let page = search('foo_bar('); ; page = search({ q: 'foo_bar(', cursor: page.nextCursor! })) {
    seen.push(...page.hits.map((hit) => hit.seq));
    expect(page).toMatchObject({ total: seen.length, more: page.nextCursor !== undefined });
    if (page.nextCursor === undefined) break;
  }
  expect(seen).toEqual([4]);
});

test('if more rows have one timestamp than a slice has numbers for, all are found, within their time range', () => {
  const at = timeAt(7);
  put(
    'a',
    Array.from({ length: 5000 }, () => ({ ...prompt('same moment'), at })),
  );
  put('b', [{ ...prompt('same later'), at: timeAt(60) }]);
  let count = 0;
  for (
    let page = search({ q: `same before:${timeAt(8)}`, limit: 200 });
    ;
    page = search({ q: `same before:${timeAt(8)}`, limit: 200, cursor: page.nextCursor! })
  ) {
    count += page.hits.length;
    if (page.nextCursor === undefined) break;
  }
  expect(count).toBe(5000);
  expect(search(`same after:${timeAt(8)}`).hits).toMatchObject([{ sessionId: 'b' }]);
});
