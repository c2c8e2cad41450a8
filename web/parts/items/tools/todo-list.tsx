import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { Todo } from '../../../../src/domain/transcript/todos.ts';

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul className="todos">
      {todos.map((todo, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may say the same, and a line has no state
        <li key={at} className={`todo todo-${todo.status}`}>
          <TodoSign status={todo.status} />
          {todo.content}
        </li>
      ))}
    </ul>
  );
}

const SIGNS = { completed: CircleCheck, in_progress: CircleDot, pending: Circle } as const;
const WORDS = { completed: 'done', in_progress: 'in progress', pending: 'to do' } as const;

function TodoSign({ status }: { readonly status: Todo['status'] }) {
  const Icon = SIGNS[status];
  return <Icon size={14} role="img" aria-label={WORDS[status]} />;
}
