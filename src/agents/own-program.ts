import { createRequire } from 'node:module';

const fromSource = import.meta.url.endsWith('.ts');

/** A program of ours, relative to the package root: from source it is TypeScript; in the package it is one plain file. */
export const ownProgram = (source: string, built: string): string => (fromSource ? source : built);

/** The arguments with which this Node runs it. The loader by its full path: a bare `tsx` would be looked for in the session's folder. */
export const nodeArgs = (program: string): readonly string[] =>
  program.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx'), program] : [program];
