import { fileURLToPath } from 'node:url';

/** The repository's root; every script works from here, wherever it is called. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An executable from a dependency. */
export const tool = (name) => `${ROOT}node_modules/.bin/${name}`;

/** Progress for people, on stderr: stdout stays what the program itself prints. */
export const say = (text) => process.stderr.write(`${text}\n`);
