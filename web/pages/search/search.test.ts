import { expect, test } from 'vitest';
import type { Hit, HitList } from '../../../src/protocol/api/search.ts';
import { Hit as HitSchema } from '../../../src/protocol/api/search.ts';
import { seeded } from '../../../test/support/seeded.ts';
import type { QueryParams } from '../../client/http/session-list-api.ts';
import { withOperator } from '../../parts/address/search-address.ts';
import { groupHits } from './group-hits.ts';
import { markedPieces } from './marked-pieces.ts';
import { openSearch } from './search-store.ts';
import { summaryText } from './search-summary.tsx';

const hit = (sessionId: string, seq: number): Hit =>
  HitSchema.parse({
    sessionId,
    seq,
    kind: 'answer',
    snippet: 'x',
    marks: [],
    agent: 'demo',
    project: 'p',
    projectId: 'p',
    at: '2026-01-01T00:00:00.000Z',
    sessionTitle: sessionId,
  });
const answer = (hits: readonly Hit[], more: Partial<HitList> = {}): HitList => ({ hits: [...hits], total: hits.length, more: false, whole: true, ...more });

test('a snippet is split at its marks, as text', () => {
  expect(markedPieces('<b>cache key</b>', [[3, 8]])).toEqual([
    { at: 0, text: '<b>', isMarked: false },
    { at: 3, text: 'cache', isMarked: true },
    { at: 8, text: ' key</b>', isMarked: false },
  ]);
});

test('for any marks, no character of the snippet is lost or doubled', () => {
  const seed = 42;
  const random = seeded(seed);
  const snippet = 'The cache key is 42 — 日本 🚂.';
  for (let round = 0; round < 500; round++) {
    const marks = Array.from({ length: Math.floor(random() * 5) }, () => [Math.floor(random() * 50) - 10, Math.floor(random() * 50) - 10] as const);
    const together = markedPieces(snippet, marks)
      .map(({ text }) => text)
      .join('');
    expect(together, `seed ${seed}, ${JSON.stringify(marks)}`).toBe(snippet);
  }
});

test('hits are grouped by session, in the order of each session’s best hit', () => {
  expect(groupHits([hit('b', 1), hit('a', 2), hit('b', 3)]).map(({ sessionId, hits }) => [sessionId, hits.map(({ seq }) => seq)])).toEqual([
    ['b', [1, 3]],
    ['a', [2]],
  ]);
});

const operators = [
  ['cache', 'path', 'src/app.ts', 'cache path:src/app.ts'],
  ['', 'tool', 'Bash', 'tool:Bash'],
  ['a path:old b', 'path', 'new', 'a b path:new'],
  ['path:"an old one" x', 'path', 'a new one', 'x path:"a new one"'],
] as const;
for (const [q, name, value, expected] of operators)
  test(`“${q}” narrowed to ${name} ${value} becomes “${expected}”`, () => expect(withOperator(q, name, value)).toBe(expected));

/** Answers when the test says so; an aborted query fails as a fetch does. */
function slowApi() {
  const open: { readonly question: QueryParams; readonly signal: AbortSignal; resolve(answer: HitList): void }[] = [];
  const search = (question: QueryParams, signal: AbortSignal) =>
    new Promise<HitList>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      open.push({ question, signal, resolve });
    });
  return { search, open };
}

test('only the last of several queries is answered, and the others are aborted', async () => {
  const api = slowApi();
  const search = openSearch(api);
  const asked = [search.ask({ q: 'c' }), search.ask({ q: 'ca' })];
  expect(api.open.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  api.open[0]?.resolve(answer([hit('wrong', 1)]));
  api.open[1]?.resolve(answer([hit('right', 1)]));
  await Promise.all(asked);
  expect(search.store.getState()).toMatchObject({ phase: 'answered', question: { q: 'ca' }, hits: [{ sessionId: 'right' }] });
});

test('more hits are appended, and old hits stay until a new answer arrives', async () => {
  const api = slowApi();
  const search = openSearch(api);
  const first = search.ask({ q: 'a' });
  api.open[0]?.resolve(answer([hit('a', 1)], { nextCursor: 'n', total: 2, more: true }));
  await first;
  expect(summaryText(search.store.getState())).toBe('At least 2 results');
  const more = search.more();
  expect(api.open[1]?.question).toMatchObject({ cursor: 'n' });
  api.open[1]?.resolve(answer([hit('a', 2)], { total: 2 }));
  await more;
  expect(search.store.getState().hits.map(({ seq }) => seq)).toEqual([1, 2]);
  void search.ask({ q: 'ab' });
  expect(search.store.getState()).toMatchObject({ phase: 'asking', hits: [{}, {}] });
});

test('an empty query sends no request', async () => {
  const api = slowApi();
  const search = openSearch(api);
  await search.ask({});
  expect(api.open).toEqual([]);
  expect(search.store.getState().phase).toBe('nothing');
});
