import type { Subject } from '../../protocol/subject.ts';
import { text } from '../formats/shape.ts';

type Input = Readonly<Record<string, unknown>>;

export const SHELL = 'exec';

const WRITES = new Set(['write', 'edit', 'apply_patch']);
const READS = new Set(['read', 'grep', 'find', 'ls', 'image', 'pdf']);
const WEB = new Set(['web_search', 'web_fetch', 'browser']);

/** What a call is about. No editable field for a command: OpenClaw can only run exactly what it asked for. */
export function subjectOf(tool: string, input: Input): Subject {
  if (tool === SHELL && text(input.command)) return { kind: 'command', command: input.command, ...folderOf(input) };
  if (WRITES.has(tool)) return { kind: 'edit', paths: pathsIn(input) };
  if (READS.has(tool)) return { kind: 'read', paths: pathsIn(input) };
  if (WEB.has(tool)) return { kind: 'web', ...(text(input.url) ? { url: input.url } : {}), ...(text(input.query) ? { query: input.query } : {}) };
  return { kind: 'other' };
}

function folderOf({ cwd, workdir }: Input): { readonly cwd?: string } {
  const folder = [cwd, workdir].find(text);
  return folder === undefined ? {} : { cwd: folder };
}

/** A patch names its files on separate lines. */
function pathsIn({ path, input, patch }: Input): string[] {
  const named = text(path) ? [path] : [];
  const words = [input, patch].find(text) ?? '';
  return [...named, ...[...words.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].flatMap(([, file]) => (file === undefined ? [] : [file]))];
}
