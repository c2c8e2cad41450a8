import type { Event } from '../../protocol/event.ts';

/** A file that a session touched, as an event shows it: a call that names it, or what a call did to it. */
export interface Touch {
  readonly path: string;
  readonly how: 'named' | 'create' | 'edit' | 'delete';
}

export function touchesOf(event: Event): readonly Touch[] {
  if (event.type === 'tool.started') return pathsIn(event.input).map((path) => ({ path, how: 'named' }));
  if (event.type !== 'tool.completed' || event.change === undefined) return [];
  return [{ path: event.change.path, how: event.change.kind }];
}

/** An argument named like a path or a file, in any agent: `path`, `file_path`, `targetFile`, `files`. */
const NAMES = /^(?:path|file|filename)s?$|_(?:path|file|filename)s?$|[a-z](?:Path|File)s?$/;

/** Longer than any path that a file system accepts. */
const PATH_CHARS = 4096;

/** The files that a call's arguments name, each once. */
export function pathsIn(input: Readonly<Record<string, unknown>>): readonly string[] {
  const named = Object.entries(input).flatMap(([name, value]) => (NAMES.test(name) ? [value].flat() : []));
  return [...new Set(named.filter(isPath))];
}

const isPath = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= PATH_CHARS && !/[\n\0]/.test(value) && /[\\/]|\.\w+$/.test(value);

/** Whether the wanted segments occur in the path one after the other: `src/a.ts` in `/home/me/src/a.ts`. */
export function isPathWithin(path: string, wanted: string): boolean {
  const segments = segmentsOf(path);
  const wantedSegments = segmentsOf(wanted);
  if (wantedSegments.length === 0) return false;
  return segments.some((_, start) => wantedSegments.every((segment, offset) => segments[start + offset] === segment));
}

const segmentsOf = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split(/[\\/]+/)
    .filter((segment) => segment !== '' && segment !== '.');
