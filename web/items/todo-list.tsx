import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import type { Todo } from './todos.ts';

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul className="todos">
      {todos.map((todo) => (
        <li key={todo.content} className={`todo todo-${todo.status}`}>
          <TodoSign status={todo.status} />
          {todo.content}
        </li>
      ))}
    </ul>
  );
}

function TodoSign({ status }: { readonly status: string }) {
  const Icon = status === 'completed' ? CircleCheck : status === 'in_progress' ? CircleDot : Circle;
  return <Icon size={14} role="img" aria-label={status.replace('_', ' ')} />;
}
