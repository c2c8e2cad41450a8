import { createRequire } from 'node:module';

const fromSource = import.meta.url.endsWith('.ts');

/** One of our own programs, relative to the package root: TypeScript in the source tree, one plain file in the package. */
export const ownProgram = (source: string, built: string): string => (fromSource ? source : built);

/** The arguments for this Node to run it. The loader has its full path: a bare `tsx` would be resolved in the session's folder. */
export const nodeArgs = (program: string): readonly string[] =>
  program.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx'), program] : [program];
