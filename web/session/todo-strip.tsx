import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import type { Item, ToolItem } from '../../src/domain/transcript/item.ts';
import { type Todo, todosAfter } from '../../src/domain/transcript/todos.ts';
import { toolKind } from '../../src/domain/transcript/tool-kind.ts';
import { useApp } from '../app/cockpit-context.ts';
import { Fold } from '../items/fold.tsx';
import { TodoList } from '../items/todo-list.tsx';
import { todoWords } from '../items/todo-words.ts';

/** What the agent means to do, in one place and as it stands now; its calls in the transcript only tell that it changed. */
export function TodoStrip({ sessionId }: { readonly sessionId: string }) {
  const items = useApp((state) => state.open.get(sessionId)?.transcript.items);
  const todos = useMemo(() => todosAfter(listCalls(items?.values() ?? [])), [items]);
  if (todos.every(({ status }) => status === 'completed')) return null;
  const label = (
    <span className="todo-now">
      <ListChecks size={15} aria-hidden="true" />
      <Progress todos={todos} />
      <span className="todo-words">{todoWords(todos)}</span>
    </span>
  );
  return (
    <section className="todo-strip" aria-label="What the agent means to do">
      <Fold foldKey={`todos:${sessionId}`} label={label}>
        <TodoList todos={todos} />
      </Fold>
    </section>
  );
}

/** Of the agent itself: a subagent's list is its own affair. */
function* listCalls(items: Iterable<Item>): Iterable<ToolItem> {
  for (const item of items) {
    if (item.kind === 'tool' && item.parentToolUseId === undefined && mayList(item) && toolKind(item.name, item.started?.input) === 'todo') yield item;
  }
}

/** Looked at for every call of a long session with every event: most tell at once that they list nothing. */
const mayList = ({ started }: ToolItem): boolean =>
  started !== undefined && ['todos', 'entries', 'plan', 'taskId', 'subject'].some((name) => name in started.input);

/** One short rail for each entry. */
const MOST_RAILS = 12;

function Progress({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <span className="todo-rails" aria-hidden="true">
      {todos.slice(0, MOST_RAILS).map(({ status }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rail has no state
        <span key={at} className={`rail-${status}`} />
      ))}
    </span>
  );
}
