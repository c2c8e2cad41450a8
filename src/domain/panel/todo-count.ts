import type { TodoCount } from '../../protocol/api/panel.ts';
import { toolKind } from '../transcript/tool-kind.ts';

const DONE: ReadonlySet<unknown> = new Set(['completed', 'complete', 'done']);

/** How far the list of things to do has come that this call writes; undefined for any other call. */
export function todoCount(name: string, input: Readonly<Record<string, unknown>>): TodoCount | undefined {
  const list = toolKind(name, input) === 'todo' ? (Object.values(input).find(Array.isArray) as unknown) : undefined;
  if (!Array.isArray(list) || list.length === 0 || !list.every(hasStatus)) return undefined;
  return { done: list.filter((todo) => DONE.has(todo.status)).length, total: list.length };
}

const hasStatus = (todo: unknown): todo is { readonly status: unknown } => typeof todo === 'object' && todo !== null && 'status' in todo;
