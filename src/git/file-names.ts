import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryOf } from './repository.ts';
import { runGit } from './run-git.ts';

export interface FoundNames {
  /** Paths below the folder, separated by `/`. */
  readonly names: readonly string[];
  /** False when the folder has more files than the limit. */
  readonly isWhole: boolean;
}

/** Limit on names: people expect an answer while they type. */
const MOST_NAMES = 50_000;
/** Without git, each name costs a disk access. */
const MOST_WALKED = 20_000;
const GIT_BYTES = 16 * 1024 * 1024;

/** The files of a folder: those git tracks or doesn't ignore, or without git everything in it. */
export async function fileNamesIn(folder: string): Promise<FoundNames> {
  return (await listedByGit(folder)) ?? (await walked(folder));
}

const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** Uses `repositoryOf`: nothing that the repository's settings name is run, and none of them moves the folder. */
async function listedByGit(folder: string): Promise<FoundNames | undefined> {
  const place = await repositoryOf(folder);
  if ('words' in place) return undefined;
  const listed = await runGit(place, LIST, GIT_BYTES);
  return listed.ok && !listed.isCut ? foundIn(listed.out.toString('utf8')) : undefined;
}

/** Git lists a file in conflict once for each side. */
function foundIn(text: string): FoundNames {
  const names = [...new Set(text.split('\0').filter((name) => name !== ''))];
  return { names: names.slice(0, MOST_NAMES), isWhole: names.length <= MOST_NAMES };
}

/** Without git: closest files first. Hidden folders and node_modules are skipped, and links are never followed. */
async function walked(folder: string): Promise<FoundNames> {
  const names: string[] = [];
  const waiting = [''];
  for (let seen = 0; waiting.length > 0 && seen < MOST_WALKED; ) {
    const below = waiting.shift() ?? '';
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    seen += entries.length + 1;
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) names.push(path);
      if (entry.isDirectory() && !isOthers(entry.name)) waiting.push(path);
    }
  }
  return { names, isWhole: waiting.length === 0 };
}

const isOthers = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
