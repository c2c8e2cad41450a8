import * as z from 'zod/mini';
import type { Subject } from '../../protocol/subject.ts';
import { ownProperty } from '../formats/fold.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call is about, by the agent's own kind; agents name their tools and arguments as they like. */
export const subjectOf = (kind: string, input: Input, paths: readonly string[] = []): Subject =>
  ownProperty(READERS, kind)?.(input, paths) ?? { kind: 'other' };

type Reader = (input: Input, paths: readonly string[]) => Subject | undefined;

const Command = z.looseObject({ command: z.union([z.string(), z.array(z.string())]) });
const Address = z.looseObject({ url: z.optional(z.string()), query: z.optional(z.string()) });

const files =
  (kind: 'edit' | 'read'): Reader =>
  (input, paths) => {
    const named = paths.length > 0 ? paths : ['path', 'filePath', 'file_path'].flatMap((name) => (typeof input[name] === 'string' ? [input[name]] : []));
    return named.length > 0 ? { kind, paths: [...named] } : undefined;
  };

const READERS: Readonly<Record<string, Reader>> = {
  execute: (input) => {
    const parsed = z.safeParse(Command, input);
    if (!parsed.success) return undefined;
    const { command } = parsed.data;
    if (typeof command === 'string') return { kind: 'command', command };
    const script = scriptOf(command);
    if (script !== undefined) return { kind: 'command', command: script };
    // A rule can't judge words that a shell would split again.
    return command.every((word) => /^[\w./:=@,+-]+$/.test(word)) ? { kind: 'command', command: command.join(' ') } : undefined;
  },
  edit: files('edit'),
  delete: files('edit'),
  read: files('read'),
  search: files('read'),
  fetch: (input) => {
    const parsed = z.safeParse(Address, input);
    if (!parsed.success) return undefined;
    const { url, query } = parsed.data;
    return { kind: 'web', ...(url === undefined ? {} : { url }), ...(query === undefined ? {} : { query }) };
  },
};

/** `["bash", "-lc", "git status"]`: the shell reads the third word as a script, whatever is in it. */
function scriptOf([shell, flag, script, ...more]: readonly string[]): string | undefined {
  const isShell = shell !== undefined && /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/.test(shell) && (flag === '-c' || flag === '-lc');
  return isShell && more.length === 0 ? script : undefined;
}
