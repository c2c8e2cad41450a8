import type { Subject } from '../../protocol/subject.ts';

/** What a tool call of the demo agent is about. */
export function subjectOf(tool: string, input: Readonly<Record<string, unknown>>): Subject {
  if (typeof input.command === 'string') return { kind: 'command', command: input.command, field: 'command' };
  if (typeof input.url === 'string') return { kind: 'web', url: input.url };
  const [, server, name] = MCP.exec(tool) ?? [];
  if (server !== undefined && name !== undefined) return { kind: 'mcp', server, tool: name };
  if (typeof input.file_path !== 'string') return { kind: 'other' };
  const writes = 'content' in input || 'new_string' in input || 'edits' in input;
  return { kind: writes ? 'edit' : 'read', paths: [input.file_path] };
}

const MCP = /^mcp__(.+?)__(.+)$/;
