import * as z from 'zod/mini';
import type { Subject } from '../../../protocol/subject.ts';
import { ownProperty } from '../../formats/fold.ts';

const text = z.string();
const Command = z.looseObject({ command: text, run_in_background: z.optional(z.boolean()) });
const File = z.looseObject({ file_path: text });
const Notebook = z.looseObject({ notebook_path: text });
const Place = z.looseObject({ path: z.optional(text) });
const Fetch = z.looseObject({ url: text });
const Search = z.looseObject({ query: text });

type Input = Readonly<Record<string, unknown>>;
type Reader = (input: Input) => Subject | undefined;

/** What a tool call is about; `other` for unknown tools and unknown arguments. */
export function subjectOf(tool: string, input: Input): Subject {
  return ownProperty(READERS, tool)?.(input) ?? mcp(tool) ?? { kind: 'other' };
}

const READERS: Readonly<Record<string, Reader>> = {
  Bash: (input) => read(Command, input, (found) => command(found.command, found.run_in_background)),
  Write: (input) => read(File, input, (found) => edit(found.file_path)),
  Edit: (input) => read(File, input, (found) => edit(found.file_path)),
  MultiEdit: (input) => read(File, input, (found) => edit(found.file_path)),
  NotebookEdit: (input) => read(Notebook, input, (found) => edit(found.notebook_path)),
  Read: (input) => read(File, input, (found) => ({ kind: 'read', paths: [found.file_path] })),
  // Without a path they search the session's folder.
  Glob: (input) => read(Place, input, (found) => ({ kind: 'read', paths: [found.path ?? '.'] })),
  Grep: (input) => read(Place, input, (found) => ({ kind: 'read', paths: [found.path ?? '.'] })),
  LS: (input) => read(Place, input, (found) => ({ kind: 'read', paths: [found.path ?? '.'] })),
  WebFetch: (input) => read(Fetch, input, (found) => ({ kind: 'web', url: found.url })),
  WebSearch: (input) => read(Search, input, (found) => ({ kind: 'web', query: found.query })),
};

function read<S extends z.ZodMiniType>(schema: S, input: Input, make: (found: z.infer<S>) => Subject): Subject | undefined {
  const parsed = z.safeParse(schema, input);
  return parsed.success ? make(parsed.data) : undefined;
}

const command = (words: string, background: boolean | undefined): Subject => ({
  kind: 'command',
  command: words,
  field: 'command',
  ...(background ? { background } : {}),
});
const edit = (path: string): Subject => ({ kind: 'edit', paths: [path] });

/** `mcp__server__tool`: a server's name has no double underscore. */
function mcp(tool: string): Subject | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined || name === undefined ? undefined : { kind: 'mcp', server, tool: name };
}
