import { GIT } from './git.ts';
import type { Program } from './program.ts';
import { READERS } from './readers.ts';
import { RUNNERS } from './runners.ts';
import { SCRIPTS } from './scripts.ts';
import { SERVICES } from './services.ts';

/** Programs whose arguments are known, by name. A wildcard covers only what is listed for them. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(Object.entries({ git: GIT, ...READERS, ...RUNNERS, ...SCRIPTS, ...SERVICES }));

export { READERS };
