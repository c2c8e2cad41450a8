import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { Todo } from '../../../../src/domain/transcript/todos.ts';

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul className="todos">
      {todos.map((todo, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries may have the same text, and a line has no state
        <li key={at} className={`todo todo-${todo.status}`}>
          <TodoIcon status={todo.status} />
          {todo.content}
        </li>
      ))}
    </ul>
  );
}

const ICONS = { completed: CircleCheck, in_progress: CircleDot, pending: Circle } as const;
const LABELS = { completed: 'done', in_progress: 'in progress', pending: 'to do' } as const;

function TodoIcon({ status }: { readonly status: Todo['status'] }) {
  const Icon = ICONS[status];
  return <Icon size={14} role="img" aria-label={LABELS[status]} />;
}
