import { fileURLToPath } from 'node:url';

/** The repository's root; every script works from here, wherever it was called. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An executable that a dependency brought. */
export const tool = (name) => `${ROOT}node_modules/.bin/${name}`;

/** Progress for a person. On stderr, so that stdout stays what the program itself prints. */
export const say = (text) => process.stderr.write(`${text}\n`);
