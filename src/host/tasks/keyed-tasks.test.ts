import { expect, test } from 'vitest';
import { createKeyedTasks } from './keyed-tasks.ts';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('tasks with the same key run in order, while other keys continue', async () => {
  const tasks = createKeyedTasks();
  const first = gate();
  const done: string[] = [];
  const one = tasks.inOrder('a', () => first.opened.then(() => void done.push('a1')));
  const two = tasks.inOrder('a', async () => void done.push('a2'));
  await tasks.inOrder('b', async () => void done.push('b'));
  first.open();
  await Promise.all([one, two]);
  expect(done).toEqual(['b', 'a1', 'a2']);
});

test('a failing task fails alone, and settled waits for tasks that were added meanwhile', async () => {
  const tasks = createKeyedTasks();
  const done: string[] = [];
  const failing = tasks.inOrder('a', async () => {
    void tasks.inOrder('a', async () => void done.push('added'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await tasks.settled();
  expect(done).toEqual(['added']);
  expect(tasks.size).toBe(0);
});
