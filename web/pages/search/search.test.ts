import { expect, test } from 'vitest';
import type { Hit, HitList } from '../../../src/protocol/api/search.ts';
import { Hit as HitSchema } from '../../../src/protocol/api/search.ts';
import { seeded } from '../../../test/support/seeded.ts';
import type { Question } from '../../client/http/session-list-api.ts';
import { withOperator } from '../../parts/address/search-address.ts';
import { openFinder } from './finder.ts';
import { grouped } from './grouped.ts';
import { markedPieces } from './marked.ts';
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

test('a snippet is cut at its marks, as text', () => {
  expect(markedPieces('<b>cache key</b>', [[3, 8]])).toEqual([
    { at: 0, text: '<b>', isMarked: false },
    { at: 3, text: 'cache', isMarked: true },
    { at: 8, text: ' key</b>', isMarked: false },
  ]);
});

test('whatever the marks are, no character of the snippet is lost or doubled', () => {
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

test('hits are grouped by session in the order of each one’s best', () => {
  expect(grouped([hit('b', 1), hit('a', 2), hit('b', 3)]).map(({ sessionId, hits }) => [sessionId, hits.map(({ seq }) => seq)])).toEqual([
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
for (const [q, name, value, expected] of operators) test(`“${q}” narrowed to ${name} ${value}`, () => expect(withOperator(q, name, value)).toBe(expected));

/** Answers when the test says so; a question that is given up fails as a fetch does. */
function slowApi() {
  const open: { readonly question: Question; readonly signal: AbortSignal; tell(answer: HitList): void }[] = [];
  const search = (question: Question, signal: AbortSignal) =>
    new Promise<HitList>((tell, fail) => {
      signal.addEventListener('abort', () => fail(new Error('given up')));
      open.push({ question, signal, tell });
    });
  return { search, open };
}

test('of several questions only the last is answered, and the others are given up', async () => {
  const api = slowApi();
  const finder = openFinder(api);
  const asked = [finder.ask({ q: 'c' }), finder.ask({ q: 'ca' })];
  expect(api.open.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  api.open[0]?.tell(answer([hit('wrong', 1)]));
  api.open[1]?.tell(answer([hit('right', 1)]));
  await Promise.all(asked);
  expect(finder.store.getState()).toMatchObject({ phase: 'answered', question: { q: 'ca' }, hits: [{ sessionId: 'right' }] });
});

test('more hits come behind those that are there, and the hits before a new answer stay until it comes', async () => {
  const api = slowApi();
  const finder = openFinder(api);
  const first = finder.ask({ q: 'a' });
  api.open[0]?.tell(answer([hit('a', 1)], { nextCursor: 'n', total: 2, more: true }));
  await first;
  expect(summaryText(finder.store.getState())).toBe('at least 2 hits');
  const more = finder.more();
  expect(api.open[1]?.question).toMatchObject({ cursor: 'n' });
  api.open[1]?.tell(answer([hit('a', 2)], { total: 2 }));
  await more;
  expect(finder.store.getState().hits.map(({ seq }) => seq)).toEqual([1, 2]);
  void finder.ask({ q: 'ab' });
  expect(finder.store.getState()).toMatchObject({ phase: 'asking', hits: [{}, {}] });
});

test('a question without any condition asks nothing', async () => {
  const api = slowApi();
  const finder = openFinder(api);
  await finder.ask({});
  expect(api.open).toEqual([]);
  expect(finder.store.getState().phase).toBe('nothing');
});
