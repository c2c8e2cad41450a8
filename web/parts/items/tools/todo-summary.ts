import type { Todo } from '../../../../src/domain/transcript/todos.ts';

/** A to-do list's progress and current entry in one line. */
export function todoSummary(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const now = todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  return `${done} of ${todos.length} done${now === undefined ? '' : ` · ${now.content}`}`;
}
