import { lexical } from './shell/paths.ts';
import { fits, type Pieces, piecesOf } from './wildcard.ts';

/** Whether a wildcard covers a name. */
type IsSeen = (name: string) => boolean;

/** A path pattern, segment by segment; `**` matches any number of folders, including none. */
export interface PathPattern {
  readonly isAbsolute: boolean;
  readonly parts: readonly ('**' | Pieces)[];
}

export function pathPattern(text: string): PathPattern | string {
  if (text.startsWith('~')) return 'Write the full path: ~ is not supported here.';
  if (text.includes('\0')) return 'A path cannot contain this character.';
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return 'A path pattern cannot use "..". To name a path outside the session\'s folder, start it with "/".';
  if (parts.some((part) => part.includes('**') && part !== '**')) return 'In a path pattern, ** must stand alone between slashes: src/**/*.ts.';
  return { isAbsolute: text.startsWith('/'), parts: parts.map((part) => (part === '**' ? part : piecesOf(part))) };
}

/**
 * For allowing: whether a resolved path matches the pattern. Only a normalized absolute path can.
 * As in a shell, a wildcard does not cover hidden names (`.git`, `.env`): a hook or a tool's settings file can run a program later.
 */
export function matchesPath(pattern: PathPattern, path: string, cwd: string): boolean {
  return isMatch(pattern, path, cwd, (name) => !name.startsWith('.'));
}

function isMatch(pattern: PathPattern, path: string, cwd: string, isSeen: IsSeen): boolean {
  if (lexical(path, '/') !== path || !path.startsWith('/')) return false;
  const inside = pattern.isAbsolute ? path.slice(1) : below(path, cwd);
  return inside !== undefined && matchesParts(pattern.parts, inside === '' ? [] : inside.split('/'), isSeen);
}

/** For denying: hidden or not, in upper or lower case. */
export function touchesPath(pattern: PathPattern, path: string, cwd: string): boolean {
  return isMatch(caseless(pattern), fold(path), fold(cwd), () => true);
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

function caseless({ isAbsolute, parts }: PathPattern): PathPattern {
  return { isAbsolute, parts: parts.map((part) => (part === '**' ? part : piecesOf(fold(part.join('*'))))) };
}

function below(path: string, folder: string): string | undefined {
  if (path === folder) return '';
  const base = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(base) ? path.slice(base.length) : undefined;
}

/** Tracks all positions in the pattern that the path could have reached, so that no pattern takes long. */
function matchesParts(parts: PathPattern['parts'], names: readonly string[], isSeen: IsSeen): boolean {
  let places = skipping(parts, new Set([0]));
  for (const name of names) {
    const next = new Set<number>();
    for (const at of places) {
      const part = parts[at];
      if (part === '**') {
        if (isSeen(name)) next.add(at);
      } else if (part !== undefined && fits(part, name) && (!isOpen(part) || isSeen(name))) next.add(at + 1);
    }
    places = skipping(parts, next);
  }
  return places.has(parts.length);
}

/** Starts with a wildcard. */
const isOpen = (part: Pieces): boolean => part.length > 1 && part[0] === '';

function skipping(parts: PathPattern['parts'], places: Set<number>): Set<number> {
  for (const at of places) if (parts[at] === '**') places.add(at + 1);
  return places;
}
