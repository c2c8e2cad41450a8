import { expect, test } from 'vitest';
import { completedWith, fittingCommands, proposedFiles, type Word, wordAt } from './completion.ts';

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
  test(`in “${text}” nothing is to be completed`, () => expect(wordAt(text, text.length)).toBeUndefined());
}

test('a command is proposed with what it does, those that begin so first', () => {
  const commands = [{ name: 'autocompact' }, { name: 'compact', description: 'Shorten it', argumentHint: '[how]' }, { name: 'review' }];

  expect(fittingCommands(commands, 'Comp')).toEqual([
    { text: '/compact', words: '/compact [how]', hint: 'Shorten it' },
    { text: '/autocompact', words: '/autocompact' },
  ]);
});

const at = (text: string): Word => wordAt(text, text.length) ?? expect.fail('no word');
const [PLAIN, ODD] = proposedFiles(['src/a.ts', 'my notes.md']);

test('a proposal stands in the place of the word, with one blank behind it', () => {
  expect(completedWith('see @a', at('see @a'), PLAIN ?? expect.fail())).toEqual({ text: 'see @src/a.ts ', caret: 14 });
  expect(completedWith('see @a and go', at('see @a'), PLAIN ?? expect.fail())).toEqual({ text: 'see @src/a.ts and go', caret: 14 });
});

test('a name with blanks is quoted', () => {
  expect(completedWith('@m', at('@m'), ODD ?? expect.fail()).text).toBe('@"my notes.md" ');
});
