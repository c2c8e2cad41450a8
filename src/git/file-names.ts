import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit } from './ask-git.ts';
import { repositoryOf } from './repository.ts';

export interface FoundNames {
  /** Paths below the folder, with `/` between their parts. */
  readonly names: readonly string[];
  /** False when the folder holds more than is looked at. */
  readonly isWhole: boolean;
}

/** More are not looked at: whoever types a name wants an answer while he types. */
const MOST_NAMES = 50_000;
/** Of a folder that git does not know each name costs a look at the disk. */
const MOST_WALKED = 20_000;
const GIT_BYTES = 16 * 1024 * 1024;

/** The files of a folder: what git knows and does not ignore, or what lies there. */
export async function fileNamesIn(folder: string): Promise<FoundNames> {
  return (await listedByGit(folder)) ?? (await walked(folder));
}

const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** Asked as everything is asked of a repository: nothing that its settings name is run, and none of them moves the folder. */
async function listedByGit(folder: string): Promise<FoundNames | undefined> {
  const place = await repositoryOf(folder);
  if ('words' in place) return undefined;
  const listed = await askGit(place, LIST, GIT_BYTES);
  return listed.ok && !listed.isCut ? foundIn(listed.out.toString('utf8')) : undefined;
}

/** A file that is in conflict is told once for each side of it. */
function foundIn(text: string): FoundNames {
  const names = [...new Set(text.split('\0').filter((name) => name !== ''))];
  return { names: names.slice(0, MOST_NAMES), isWhole: names.length <= MOST_NAMES };
}

/** Without git, nearer files first; folders that hold what programs made for themselves are left out, links are never followed. */
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
