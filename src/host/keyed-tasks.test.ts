import { expect, test } from 'vitest';
import { createKeyedTasks } from './keyed-tasks.ts';

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('tasks with one key run in order, while other keys continue', async () => {
  const busy = createKeyedTasks();
  const first = gate();
  const done: string[] = [];
  const one = busy.inOrder('a', () => first.opened.then(() => void done.push('a1')));
  const two = busy.inOrder('a', async () => void done.push('a2'));
  await busy.inOrder('b', async () => void done.push('b'));
  first.open();
  await Promise.all([one, two]);
  expect(done).toEqual(['b', 'a1', 'a2']);
});

test('a task that fails fails alone, and settled waits for what was added meanwhile', async () => {
  const busy = createKeyedTasks();
  const done: string[] = [];
  const failing = busy.inOrder('a', async () => {
    void busy.inOrder('a', async () => void done.push('added'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await busy.settled();
  expect(done).toEqual(['added']);
  expect(busy.size).toBe(0);
});
