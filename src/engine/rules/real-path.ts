import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** As many links in a row as Linux itself follows. */
const LINKS_MAX = 40;

/**
 * Where a path leads: every link on the way is followed, also one whose target is not there yet, because writing would make it.
 * "link/.." means one file to a shell and another to a program that tidies paths first; of such a path nothing is said.
 */
export function realPath(path: string, cwd: string): string {
  // What an agent may still take for another place: a home folder, or the same without its blanks.
  if (path.startsWith('~') || path !== path.trim()) return NOWHERE;
  const tidy = resolve(cwd, path);
  const asTidied = follow(tidy);
  if (!path.split('/').includes('..')) return asTidied;
  return follow(isAbsolute(path) ? path : `${cwd}/${path}`) === asTidied ? asTidied : NOWHERE;
}

/** A path that no file has and no pattern means. */
const NOWHERE = '/\0';

function follow(path: string): string {
  let at = '/';
  let links = 0;
  const left = partsOf(path);
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..') {
      at = dirname(at);
      continue;
    }
    const target = linkAt(join(at, part));
    if (target === undefined) {
      at = join(at, part);
      continue;
    }
    links += 1;
    if (links > LINKS_MAX) return NOWHERE;
    if (isAbsolute(target)) at = '/';
    left.unshift(...partsOf(target));
  }
  return at;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // Not a folder on the way, or nobody may look: whoever runs the agent is met by the same.
    return undefined;
  }
}
