import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Reads an agent's own file of a session, if it is there. A name that begins with `*` is known by its end only. */
export async function readAgentFile(path: string): Promise<string | undefined> {
  const found = basename(path).startsWith('*') ? await endingLike(path) : path;
  return found === undefined ? undefined : readFile(found, 'utf8').catch(() => undefined);
}

async function endingLike(path: string): Promise<string | undefined> {
  const names = await readdir(dirname(path)).catch(() => []);
  const name = names.find((one) => one.endsWith(basename(path).slice(1)));
  return name === undefined ? undefined : join(dirname(path), name);
}
