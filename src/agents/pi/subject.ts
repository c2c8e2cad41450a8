import * as z from 'zod/mini';
import type { Subject } from '../../protocol/subject.ts';
import { ownProperty } from '../formats/fold.ts';

type Input = Readonly<Record<string, unknown>>;
type Reader = (input: Input) => Subject | undefined;

/** What a tool call is about; `other` for tools of extensions. */
export const subjectOf = (tool: string, input: Input): Subject => ownProperty(READERS, tool)?.(input) ?? { kind: 'other' };

const Command = z.looseObject({ command: z.string() });
const File = z.looseObject({ path: z.string() });
const Place = z.looseObject({ path: z.optional(z.string()) });

const READERS: Readonly<Record<string, Reader>> = {
  bash: (input) => read(Command, input, ({ command }) => ({ kind: 'command', command, field: 'command' })),
  write: (input) => read(File, input, ({ path }) => ({ kind: 'edit', paths: [path] })),
  edit: (input) => read(File, input, ({ path }) => ({ kind: 'edit', paths: [path] })),
  read: (input) => read(File, input, ({ path }) => ({ kind: 'read', paths: [path] })),
  // Without a path they search the session's folder.
  grep: (input) => read(Place, input, ({ path }) => ({ kind: 'read', paths: [path ?? '.'] })),
  find: (input) => read(Place, input, ({ path }) => ({ kind: 'read', paths: [path ?? '.'] })),
  ls: (input) => read(Place, input, ({ path }) => ({ kind: 'read', paths: [path ?? '.'] })),
};

function read<S extends z.ZodMiniType>(schema: S, input: Input, make: (found: z.infer<S>) => Subject): Subject | undefined {
  const parsed = z.safeParse(schema, input);
  return parsed.success ? make(parsed.data) : undefined;
}
