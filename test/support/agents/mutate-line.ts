/** Values that no reader should expect in the place of another. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'text',
  'x'.repeat(300),
  [],
  [null],
  {},
  { type: 'text' },
  [[[[]]]],
  '\u0000\u202e',
  '__proto__',
];

type Random = () => number;
type Json = unknown;

export interface Mutant {
  readonly line: string;
  readonly how: string;
}

/**
 * A recorded line with one change that keeps it JSON (mostly), by seed: a value replaced by a strange one or by one from another line, a field
 * removed, renamed or doubled, an element removed or repeated, a value wrapped; now and then the text itself is cut or damaged.
 */
export function mutateLine(random: Random, line: string, others: readonly string[]): Mutant {
  const at = (size: number): number => Math.floor(random() * size);
  if (at(8) === 0) return damaged(at, line);
  const value = parsed(line);
  const paths = value === undefined ? [] : pathsIn(value);
  const path = paths[at(paths.length)];
  if (path === undefined) return damaged(at, line);
  const how = HOWS[at(HOWS.length)];
  if (how === undefined) return damaged(at, line);
  const donor = valueFrom(at, others[at(others.length)] ?? '');
  return { line: JSON.stringify(changed(value, path, (old) => how.change(old, donor, at))), how: `${how.name} at ${path.join('.')}` };
}

const GONE = Symbol('gone');

const HOWS: readonly { readonly name: string; change(old: Json, donor: Json, at: (size: number) => number): Json }[] = [
  { name: 'strange value', change: (_old, _donor, at) => STRANGE[at(STRANGE.length)] },
  { name: 'value of another line', change: (_old, donor) => donor },
  { name: 'removed', change: () => GONE },
  { name: 'wrapped in a list', change: (old) => [old] },
  { name: 'wrapped in an object', change: (old) => ({ value: old }) },
  { name: 'doubled', change: (old) => (Array.isArray(old) ? [...old, ...old] : typeof old === 'string' ? old + old : old) },
  { name: 'shortened', change: (old, _donor, at) => (typeof old === 'string' ? old.slice(0, at(old.length + 1)) : Array.isArray(old) ? old.slice(1) : old) },
  { name: 'other number', change: (old, _donor, at) => (typeof old === 'number' ? [old + 1, -old, old * 1e9, 0][at(4)] : old) },
  { name: 'unknown field added', change: (old) => (isRecord(old) ? { ...old, somethingNew: { a: 1 } } : old) },
];

function damaged(at: (size: number) => number, line: string): Mutant {
  const from = at(line.length + 1);
  if (at(2) === 0) return { line: line.slice(0, from), how: 'cut' };
  return { line: `${line.slice(0, from)}${'{}[]",:\\'[at(8)] ?? ''}${line.slice(from + 1)}`, how: 'one character replaced' };
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isRecord = (value: Json): value is Readonly<Record<string, Json>> => typeof value === 'object' && value !== null && !Array.isArray(value);

type Path = readonly (string | number)[];
const PATHS = 400;

function pathsIn(value: Json): readonly Path[] {
  const found: Path[] = [];
  const visit = (inner: Json, path: Path): void => {
    if (found.length >= PATHS) return;
    if (path.length > 0) found.push(path);
    if (typeof inner !== 'object' || inner === null) return;
    for (const [key, one] of Object.entries(inner)) visit(one, [...path, Array.isArray(inner) ? Number(key) : key]);
  };
  visit(value, []);
  return found;
}

function valueFrom(at: (size: number) => number, line: string): Json {
  const value = parsed(line);
  const paths = pathsIn(value);
  return (
    (paths[at(paths.length)] ?? []).reduce<Json>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, Json>)[String(key)] : inner),
      value,
    ) ?? null
  );
}

function changed(value: Json, [key, ...rest]: Path, change: (old: Json) => Json): Json {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    const next = changed(value[Number(key)], rest, change);
    return next === GONE ? value.toSpliced(Number(key), 1) : value.with(Number(key), next);
  }
  if (!isRecord(value)) return value;
  const next = changed(value[String(key)], rest, change);
  const { [String(key)]: _, ...others } = value;
  return next === GONE ? others : { ...value, [String(key)]: next };
}
