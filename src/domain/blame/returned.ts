import { keyOf } from './line-key.ts';
import type { EditStep, LineOrigin } from './walk.ts';

/** A line that an edit or a turn's shell wrote, with the lines around it; undefined where the patch doesn't say. */
export interface Written {
  readonly id: string;
  readonly by: 'edit' | 'turn';
  readonly origin: number;
  readonly at: number;
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Stands for the start and the end of a file. */
export const EDGE = '\0';

export const writtenIn = ({ origin, at, hunks }: EditStep): readonly Written[] =>
  hunks.flatMap((hunk, number) => {
    const fresh = hunk.lines.filter(({ sign }) => sign !== '-').map(({ sign, text }) => ({ sign, key: keyOf(text) }));
    const isWhole = hunks.length === 1 && fresh.length === hunk.lines.length && fresh.every(({ sign }) => sign === '+');
    return fresh.flatMap(({ sign, key }, index) => {
      const before = fresh[index - 1]?.key ?? (hunk.fresh === 0 ? EDGE : undefined);
      const after = fresh[index + 1]?.key ?? (isWhole ? EDGE : undefined);
      return sign === '+' ? [{ id: `${origin} ${number} ${index}`, by: 'edit', origin, at, key, before, after } as const] : [];
    });
  });

/** A file of which every line has an origin. */
export interface Walked {
  readonly keys: readonly string[];
  origins(): readonly LineOrigin[];
  /** The written lines that are still where they were written. */
  taken(): ReadonlySet<string>;
}

export interface OlderVersion {
  readonly at: number;
  readonly keys: readonly string[];
  /** Of the file itself: it says nothing about lines that are older than all of its versions. */
  readonly isOwn: boolean;
  /** What wrote this line, if that is known. */
  writtenAt(index: number): Written | undefined;
}

/**
 * Lines that came back: nobody is known to have put them where they are, but an older version had the same line between the same lines, or an edit
 * wrote it there, and it is nowhere else in the file. What somebody copied by hand stays unknown, because the original is still there.
 */
export function findReturned(
  file: Walked,
  written: readonly Written[],
  versions: readonly OlderVersion[],
  own: ReadonlySet<Written> | undefined,
): readonly LineOrigin[] {
  const used = new Set(file.taken());
  const asWritten = byKey(written.filter(({ id }) => !used.has(id)));
  const older = versions.map((version) => ({ ...version, places: placesOf(version.keys) }));
  return file.origins().map((origin, index) => {
    if (origin.by === 'edit') return origin;
    const [before = EDGE, key = '', after = EDGE] = [file.keys[index - 1], file.keys[index], file.keys[index + 1]];
    const until = origin.by === 'unknown' ? origin.until : Number.POSITIVE_INFINITY;
    const isFree = (one: Written | undefined): one is Written => one !== undefined && one.at <= until && !used.has(one.id);
    const inOlder = (): Written | undefined => {
      for (const { at, places, isOwn, writtenAt } of older) {
        const found = at > until || (isOwn && origin.by === 'base') ? [] : (places.get(around(before, key, after)) ?? []);
        const free = found.map(writtenAt).find(isFree);
        if (free !== undefined) return free;
      }
      return undefined;
    };
    const asItWas = asWritten.get(key)?.findLast((one) => isFree(one) && !(origin.by === 'base' && own?.has(one) === true) && isBetween(one, before, after));
    const found = origin.by === 'turn' ? asItWas : (inOlder() ?? asItWas);
    // A turn's own tool may have reported the line in a way that did not fit the file.
    if (found === undefined || (origin.by === 'turn' && found.by === 'turn')) return origin;
    used.add(found.id);
    return { by: found.by, origin: found.origin, ...(origin.by === 'base' && { foundSince: found.at }) };
  });
}

function byKey(written: readonly Written[]): ReadonlyMap<string, readonly Written[]> {
  const lists = new Map<string, Written[]>();
  for (const one of written) {
    const list = lists.get(one.key) ?? [];
    list.push(one);
    lists.set(one.key, list);
  }
  return lists;
}

const around = (before: string, key: string, after: string): string => `${before}\n${key}\n${after}`;

function placesOf(keys: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const name = around(keys[index - 1] ?? EDGE, key, keys[index + 1] ?? EDGE);
    places.set(name, [...(places.get(name) ?? []), index]);
  }
  return places;
}

/** Both neighbors are the same; one of them may be beyond the patch if the line says something by itself. */
function isBetween({ key, before, after }: Written, isBefore: string, isAfter: string): boolean {
  const hits = [before === undefined ? undefined : before === isBefore, after === undefined ? undefined : after === isAfter];
  if (hits.includes(false) || !hits.includes(true)) return false;
  return isTelling(key) || !hits.includes(undefined);
}

/** A bracket or an empty line can be anybody's. */
export const isTelling = (key: string): boolean => key.replace(/[^\p{L}\p{N}]/gu, '').length >= 4;
