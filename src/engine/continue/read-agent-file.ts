import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Reads the agent's own file of a session, if it exists. A name that starts with `*` matches by its end; a folder `*` matches any. */
export async function readAgentFile(path: string): Promise<string | undefined> {
  const [found] = await matchingPaths(path);
  return found === undefined ? undefined : readFile(found, 'utf8').catch(() => undefined);
}

/** Newest names first: with folders by date, the wanted file is mostly from today. */
async function matchingPaths(path: string): Promise<readonly string[]> {
  if (!path.includes('*')) return [path];
  const name = basename(path);
  const folders = await matchingPaths(dirname(path));
  if (!name.startsWith('*')) return folders.map((folder) => join(folder, name));
  const found = await Promise.all(folders.map(async (folder) => (await namesEndingWith(folder, name.slice(1))).map((one) => join(folder, one))));
  return found.flat();
}

async function namesEndingWith(folder: string, end: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((one) => one.endsWith(end)).sort((a, b) => (a < b ? 1 : -1));
}
