import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Reads an agent's own file of a session, if it is there. A name that begins with `*` is known by its end only, a folder `*` not at all. */
export async function readAgentFile(path: string): Promise<string | undefined> {
  const [found] = await places(path);
  return found === undefined ? undefined : readFile(found, 'utf8').catch(() => undefined);
}

/** Newest names first: where folders bear dates, what is asked for is mostly of today. */
async function places(path: string): Promise<readonly string[]> {
  if (!path.includes('*')) return [path];
  const name = basename(path);
  const folders = await places(dirname(path));
  if (!name.startsWith('*')) return folders.map((folder) => join(folder, name));
  const found = await Promise.all(folders.map(async (folder) => (await endingLike(folder, name.slice(1))).map((one) => join(folder, one))));
  return found.flat();
}

async function endingLike(folder: string, end: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((one) => one.endsWith(end)).sort((a, b) => (a < b ? 1 : -1));
}
