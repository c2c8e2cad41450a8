import type { Subject } from '../../protocol/subject.ts';

/** What a call of one of the demo agent's tools is about. */
export function subjectOf(_tool: string, input: Readonly<Record<string, unknown>>): Subject {
  if (typeof input.command === 'string') return { kind: 'command', command: input.command };
  if (typeof input.file_path !== 'string') return { kind: 'other' };
  const writes = 'content' in input || 'new_string' in input;
  return { kind: writes ? 'edit' : 'read', paths: [input.file_path] };
}
