import { expect, test } from 'vitest';
import { messageFromPaths, messageIn } from './draft-message.ts';

test('[R346] an answer loses the fence around it, and an empty one is none', () => {
  expect(messageIn('```text\nFix it\n\nBecause.\n```\n')).toBe('Fix it\n\nBecause.');
  expect(messageIn('  Fix `a`  ')).toBe('Fix `a`');
  expect(messageIn(' \n')).toBeUndefined();
});

test('[R346] a message from paths names one file, or counts and lists several', () => {
  expect(messageFromPaths([{ path: 'a.txt', state: 'added' }], '')).toBe('Add a.txt');
  const several = messageFromPaths(
    [
      { path: 'a.txt', state: 'modified' },
      { path: 'b.txt', state: 'deleted' },
    ],
    'Clean up',
  );
  expect(several).toBe('Update 2 files\n\nClean up\n\n- a.txt\n- b.txt (deleted)');
});
