import { expect, test } from 'vitest';
import { completedWith, fileProposals, matchingCommands, type Word, wordAt } from './completion.ts';

const words = [
  ['/', '/', 'command', ''],
  ['/com', '/com', 'command', 'com'],
  ['look at @', '@', 'file', ''],
  ['@src/ca', '@src/ca', 'file', 'src/ca'],
  ['a\n@b', '@b', 'file', 'b'],
] as const;
for (const [text, whole, kind, typed] of words) {
  test(`in “${text}” the ${kind} “${typed}” is being typed`, () => {
    expect(wordAt(text, text.length)).toEqual({ kind, from: text.length - whole.length, to: text.length, typed });
  });
}

for (const text of ['', 'words', '/compact now', 'say /no', 'mail a@b', '@"my file']) {
  test(`in “${text}” there is nothing to complete`, () => expect(wordAt(text, text.length)).toBeUndefined());
}

test('commands are proposed with what they do, those that start with the text first', () => {
  const commands = [{ name: 'autocompact' }, { name: 'compact', description: 'Shorten it', argumentHint: '[how]' }, { name: 'review' }];

  expect(matchingCommands(commands, 'Comp')).toEqual([
    { text: '/compact', label: '/compact [how]', hint: 'Shorten it' },
    { text: '/autocompact', label: '/autocompact' },
  ]);
});

const at = (text: string): Word => wordAt(text, text.length) ?? expect.fail('no word');
const [PLAIN, ODD] = fileProposals(['src/a.ts', 'my notes.md']);

test('a proposal replaces the word and adds one space', () => {
  expect(completedWith('see @a', at('see @a'), PLAIN ?? expect.fail())).toEqual({ text: 'see @src/a.ts ', caret: 14 });
  expect(completedWith('see @a and go', at('see @a'), PLAIN ?? expect.fail())).toEqual({ text: 'see @src/a.ts and go', caret: 14 });
});

test('a name with spaces is quoted', () => {
  expect(completedWith('@m', at('@m'), ODD ?? expect.fail()).text).toBe('@"my notes.md" ');
});
