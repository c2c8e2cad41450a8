import { expect, test } from 'vitest';
import { WorktreeWish } from './worktree.ts';

const wishes: readonly (readonly [string, unknown, boolean])[] = [
  ['a plain name', { name: 'fix-login.2' }, true],
  ['two dots', { name: 'a..b' }, false],
  ['a lock', { name: 'x.lock' }, false],
  ['a dot at the end', { name: 'x.' }, false],
  ['upper case', { name: 'UPPER' }, false],
  ['a slash', { name: '../x' }, false],
  ['a base like an option: a name as good as any', { base: '--upload-pack=x' }, true],
  ['a base with a newline', { base: 'a\nb' }, false],
  ['a base with a null character', { base: 'a\0b' }, false],
];
for (const [title, wish, isRight] of wishes) {
  test(`a worktree with ${title} is ${isRight ? 'accepted' : 'refused by name'}`, () => expect(WorktreeWish.safeParse(wish).success).toBe(isRight));
}
