import type { Item, ToolItem } from './item.ts';
import { toolKind } from './tool-kind.ts';

export interface Todo {
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

interface NumberedTodo extends Todo {
  readonly id: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The agent's own to-do list, without those of subagents. */
export const todosAmong = (items: Iterable<Item>): readonly Todo[] => todosAfter(listCalls(items));

/** What the task with this id is about, as far as these items tell. */
export const subjectOfTask = (items: Iterable<Item>, taskId: string): string | undefined =>
  numberedAfter(listCalls(items)).find(({ id }) => id === taskId)?.content;

function* listCalls(items: Iterable<Item>): Iterable<ToolItem> {
  for (const item of items) {
    if (item.kind === 'tool' && item.parentToolUseId === undefined && mayList(item) && toolKind(item.name, item.started?.input) === 'todo') yield item;
  }
}

/** Checked for every call of a long session with every event: this quickly rules out most of them. */
const mayList = ({ started }: ToolItem): boolean =>
  started !== undefined && ['todos', 'entries', 'plan', 'taskId', 'subject'].some((name) => name in started.input);

/** The to-do list after these calls: some agents write the whole list each time, some create and change single entries. */
export const todosAfter = (calls: Iterable<ToolItem>): readonly Todo[] => numberedAfter(calls).map(({ content, status }) => ({ content, status }));

function numberedAfter(calls: Iterable<ToolItem>): readonly NumberedTodo[] {
  let todos: readonly NumberedTodo[] = [];
  for (const call of calls) todos = stepped(todos, call);
  return todos;
}

function stepped(todos: readonly NumberedTodo[], { started, completed }: ToolItem): readonly NumberedTodo[] {
  if (started === undefined || completed?.isError === true) return todos;
  const whole = todosOf(started.input);
  if (whole !== undefined) return whole.map((todo, at) => ({ ...todo, id: String(at + 1) }));
  const { taskId, subject } = started.input;
  if (typeof taskId === 'string') return changed(todos, taskId, started.input);
  if (typeof subject !== 'string') return todos;
  return [...todos, { id: numberIn(completed?.output) ?? String(todos.length + 1), content: subject, status: 'pending' }];
}

function changed(todos: readonly NumberedTodo[], taskId: string, { status, subject }: Input): readonly NumberedTodo[] {
  if (status === 'deleted') return todos.filter(({ id }) => id !== taskId);
  const next = (todo: NumberedTodo): NumberedTodo => ({
    ...todo,
    content: typeof subject === 'string' ? subject : todo.content,
    status: status === undefined ? todo.status : statusOf(status),
  });
  return todos.map((todo) => (todo.id === taskId ? next(todo) : todo));
}

const numberIn = (output: string | undefined): string | undefined => /#(\w+)/.exec(output ?? '')?.[1];

/** The whole list, if a call writes one; undefined if not. */
export function todosOf({ todos, entries, plan }: Input): readonly Todo[] | undefined {
  const list: unknown = [todos, entries, plan].find(Array.isArray);
  return Array.isArray(list) ? list.map(todoOf).filter(({ content }) => content !== '') : undefined;
}

function todoOf(entry: unknown): Todo {
  const { content, step, status }: Input = typeof entry === 'object' && entry !== null ? { ...entry } : {};
  const words = [content, step].find((text) => typeof text === 'string');
  return { content: typeof words === 'string' ? words : '', status: statusOf(status) };
}

const statusOf = (word: unknown): Todo['status'] => (word === 'completed' || word === 'in_progress' ? word : 'pending');
