import { expect, test } from 'vitest';
import { HitKind } from '../../protocol/api/search.ts';
import { fold, foldWithOrigins, indexText, wordsOf } from './fold.ts';
import { isPathWithin, pathsIn } from './paths.ts';
import { parseQuery } from './query.ts';
import { snippetOf } from './snippet.ts';

const termsOf = (q: string) => {
  const parsed = parseQuery({ q });
  if ('refused' in parsed) throw new Error(parsed.message);
  return parsed.terms;
};
const messageOf = (q: string) => {
  const parsed = parseQuery({ q });
  return 'refused' in parsed ? parsed.message : undefined;
};

const understood = [
  ['plain words', 'foo bar', [{ literal: 'foo' }, { literal: 'bar' }]],
  ['a phrase', '"Foo  bar" x', [{ literal: 'foo bar', isExact: true }, { literal: 'x' }]],
  ['a phrase that is never closed', '"foo bar', [{ literal: 'foo bar' }]],
  ['the start of a word', 'foo*', [{ literal: 'foo', isPrefix: true, isExact: false }]],
  ['a piece of code', 'foo_bar(', [{ literal: 'foo_bar(', words: ['foo', 'bar'], isExact: true }]],
  ['an unknown operator', 'std::vector foo:bar', [{ literal: 'std::vector' }, { literal: 'foo:bar' }]],
  ['an operator without value', 'tool: path:', [{ literal: 'tool:' }, { literal: 'path:' }]],
  ['an operator name before two colons', 'path::join', [{ literal: 'path::join' }]],
] as const;
for (const [name, q, terms] of understood) test(`${name} is parsed: ${q}`, () => expect(termsOf(q)).toMatchObject(terms));

test('operators and parameters are joined, with quoted values and lists', () => {
  expect(
    parseQuery({
      q: 'x agent:a,b project:"My Work" is:error tool:Bash path:"a b.ts" after:2026-02',
      agent: 'c',
      after: '2026-03-01',
      before: '2026-04-01T12:00',
    }),
  ).toEqual({
    terms: termsOf('x'),
    agents: ['a', 'b', 'c'],
    projects: ['my work'],
    tools: ['bash'],
    paths: ['a b.ts'],
    kinds: [],
    isError: true,
    after: Date.UTC(2026, 2, 1),
    before: Date.UTC(2026, 3, 1, 12),
  });
});

test('a refusal says what to write', () => {
  expect(messageOf('')).toContain('Type a search term');
  expect(messageOf('kind:x')).toContain(HitKind.options.join(', '));
  expect(messageOf('is:green')).toContain('is:error');
  expect(messageOf('after:yesterday')).toContain('2026-03-31');
  expect(messageOf('before:2026-02-31')).toContain('not a date');
  expect(messageOf('=> (')).toContain('letters or digits');
  expect(messageOf('ab*')).toContain('3 letters');
  expect(messageOf('w '.repeat(25))).toContain('24 words');
  expect(messageOf('=> word')).toBeUndefined();
});

test('folding removes case and diacritics, and tracks where each character came from', () => {
  expect(fold('ÀÉÎ Straße ΣΑΣ İx')).toBe('aei straße σασ ix');
  const { text, origins } = foldWithOrigins('e\u0301a😀b');
  expect([text, [...text].length]).toEqual(['ea😀b', 4]);
  expect([origins(0), origins(1), origins(text.length)]).toEqual([0, 2, 6]);
});

test('in scripts without spaces, each character is a word', () => {
  expect(wordsOf(fold('日本語 foo_Bar'))).toEqual(['日', '本', '語', 'foo', 'bar']);
  expect(indexText('検索x').split(/\s+/)).toEqual(['', '検', '索', 'x']);
});

test('a text can neither end the input of the index nor contain its internal marks', () => expect(indexText('a\0b \ue000s1')).toBe('a b  s1'));

test('a snippet shows the passage with the most query words, and marks them', () => {
  const text = `needle ${'hay '.repeat(200)}the needle\nand the thread ${'hay '.repeat(200)}`;
  const { snippet, marks } = snippetOf(text, termsOf('needle thread'));
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(['needle', 'thread']);
  expect(snippet).toContain('the needle and the thread');
  expect([snippet.at(0), snippet.at(-1), snippet.length <= 242]).toEqual(['…', '…', true]);
});

test('marks are positions in the original text', () => {
  const { snippet, marks } = snippetOf('😀 na\u0131\u0308ve Ünïcode e\u0301tude', termsOf('unicode etude'));
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(['Ünïcode', 'e\u0301tude']);
});

test('marks of words inside a phrase are merged', () => {
  const { snippet, marks } = snippetOf('say foo_bar now', termsOf('foo_bar foo bar'));
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual(['foo_bar']);
});

test('the snippet of a text without the words is its start', () =>
  expect(snippetOf('plain text', termsOf('other'))).toEqual({ snippet: 'plain text', marks: [] }));

test('a snippet never cuts a character in two', () => {
  const { snippet } = snippetOf('😀'.repeat(400), termsOf('x'));
  expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(snippet)).toBe(false);
});

test('file paths are found in arguments named like paths', () => {
  expect(
    pathsIn({ path: 'src/a.ts', file_path: '/b', targetFile: 'c.md', files: ['/d', 3, 'e.ts'], profile: '/no', query: '/no', file: 'words only' }),
  ).toEqual(['src/a.ts', '/b', 'c.md', '/d', 'e.ts']);
});

const within = [
  ['/home/me/src/a.ts', 'src/a.ts', true],
  ['/home/me/src/a.ts', 'A.ts', true],
  ['/home/me/src/a.ts', 'me/src', true],
  ['C:\\me\\src\\a.ts', 'src/a.ts', true],
  ['/home/me/src/a.ts', 'rc/a.ts', false],
  ['/home/me/src/aa.ts', 'a.ts', false],
  ['/home/me/src/a.ts', './src/a.ts', true],
  ['/home/me/src/a.ts', '/', false],
] as const;
for (const [path, wanted, expected] of within)
  test(`${wanted} is ${expected ? '' : 'not '}in ${path}`, () => expect(isPathWithin(path, wanted)).toBe(expected));
