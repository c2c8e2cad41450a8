import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/** The same limit as in Linux. */
const LINKS_MAX = 40;

/**
 * The real path: every link on the way is followed, even one whose target doesn't exist yet, because writing would create it.
 * "link/.." means one file to a shell and another to a program that normalizes paths first; such a path matches nothing.
 */
export function realPath(path: string, cwd: string): string {
  // An agent may read these as another path: a home folder, or the path without its surrounding spaces.
  if (path.startsWith('~') || path !== path.trim()) return NOWHERE;
  const tidy = resolve(cwd, path);
  const asTidied = follow(tidy);
  if (!path.split('/').includes('..')) return asTidied;
  return follow(isAbsolute(path) ? path : `${cwd}/${path}`) === asTidied ? asTidied : NOWHERE;
}

/** A path that no file has and no pattern matches. */
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
    // A part of the path isn't a folder, or is not readable: the agent's own access fails in the same way.
    return undefined;
  }
}
