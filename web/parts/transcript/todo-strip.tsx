import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { type Todo, todosAmong } from '../../../src/domain/transcript/todos.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { Fold } from '../common/fold.tsx';
import { TodoList } from '../items/tools/todo-list.tsx';
import { todoSummary } from '../items/tools/todo-summary.ts';

/** The agent's current to-do list in one place; the calls in the transcript only show that it changed. */
export function TodoStrip({ sessionId }: { readonly sessionId: string }) {
  const items = useApp((state) => state.open.get(sessionId)?.transcript.items);
  const todos = useMemo(() => todosAmong(items?.values() ?? []), [items]);
  if (todos.every(({ status }) => status === 'completed')) return null;
  const label = (
    <span className="todo-now">
      <ListChecks size={15} aria-hidden="true" />
      <Progress todos={todos} />
      <span className="todo-words">{todoSummary(todos)}</span>
    </span>
  );
  return (
    <section className="todo-strip" aria-label="To-do list">
      <Fold foldKey={`todos:${sessionId}`} label={label}>
        <TodoList todos={todos} />
      </Fold>
    </section>
  );
}

/** One short rail for each entry. */
const MAX_RAILS = 12;

function Progress({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <span className="todo-rails" aria-hidden="true">
      {todos.slice(0, MAX_RAILS).map(({ status }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rail has no state
        <span key={at} className={`rail-${status}`} />
      ))}
    </span>
  );
}
