import { createHash } from 'node:crypto';

/** A project is a real folder; its id is the same on every machine that has it at the same path. */
export const projectIdOf = (cwd: string): string => createHash('sha256').update(cwd).digest('hex').slice(0, 16);
