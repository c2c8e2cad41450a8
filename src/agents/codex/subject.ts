import type { Subject } from '../../protocol/subject.ts';
import { isObject, text } from '../formats/shape.ts';

type Input = Readonly<Record<string, unknown>>;

/** Our names for Codex's own tools; on the wire they are kinds of items. */
export const SHELL = 'shell';
export const PATCH = 'apply_patch';
export const SEARCH = 'web_search';

/** What a call is about. No editable field for a command: Codex can only run exactly what it asked for. */
export function subjectOf(tool: string, input: Input): Subject {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return { kind: 'mcp', server, tool: name };
  if (tool === SHELL && text(input.command)) return { kind: 'command', command: input.command, ...(text(input.cwd) ? { cwd: input.cwd } : {}) };
  if (tool === PATCH) return { kind: 'edit', paths: pathsIn(input) };
  if (tool === SEARCH) return { kind: 'web', ...(text(input.query) ? { query: input.query } : {}) };
  return { kind: 'other' };
}

function pathsIn({ changes, path }: Input): string[] {
  const listed: readonly unknown[] = Array.isArray(changes) ? changes : [];
  const found = listed.flatMap((change) => (isObject(change) ? [change.path, change.movedTo].filter(text) : []));
  return text(path) ? [path, ...found] : found;
}
