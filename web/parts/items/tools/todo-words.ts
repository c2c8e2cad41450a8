import type { Todo } from '../../../../src/domain/transcript/todos.ts';

/** How far a list has come and what is done now, in one line. */
export function todoWords(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const now = todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  return `${done} of ${todos.length} done${now === undefined ? '' : ` · ${now.content}`}`;
}
