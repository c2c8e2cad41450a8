import * as z from 'zod/mini';

/** A field that no schema knows, and the one that was probably meant. */
export interface UnknownField {
  readonly name: string;
  readonly meant?: string;
}

/**
 * The first field of a value that its schema doesn't know; undefined if there is none. Schemas stay open, because events on disk may have fields of a
 * newer version; what people and programs send is checked here, so that a misspelled field is never ignored.
 */
export function unknownFieldIn(schema: z.core.$ZodType, value: unknown): UnknownField | undefined {
  return found(schema, value, '');
}

function found(schema: z.core.$ZodType, value: unknown, path: string): UnknownField | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isObject(value) ? inObject(def, value, path) : undefined;
    case 'array':
      return Array.isArray(value) ? first(value.map((one: unknown, at) => () => found(def.element, one, `${path}${at}.`))) : undefined;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return found(def.innerType, value, path);
    case 'union': {
      const fitting = def.options.find((option) => z.safeParse(option as z.ZodMiniType, value).success);
      return fitting && found(fitting, value, path);
    }
    default:
      return undefined;
  }
}

function inObject({ shape, catchall }: z.core.$ZodObjectDef, value: Readonly<Record<string, unknown>>, path: string): UnknownField | undefined {
  const known = Object.keys(shape);
  const unknown = catchall === undefined ? Object.keys(value).find((name) => !Object.hasOwn(shape, name)) : undefined;
  if (unknown !== undefined) return unknownName(`${path}${unknown}`, unknown, known);
  return first(
    known.map((name) => () => {
      const inner = shape[name];
      return inner === undefined || value[name] === undefined ? undefined : found(inner, value[name], `${path}${name}.`);
    }),
  );
}

function first(searches: readonly (() => UnknownField | undefined)[]): UnknownField | undefined {
  for (const search of searches) {
    const one = search();
    if (one !== undefined) return one;
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

export function unknownName(name: string, typed: string, known: readonly string[]): UnknownField {
  const meant = nearest(typed, known);
  return { name, ...(meant !== undefined && { meant }) };
}

/** ` Did you mean "context"?`, or nothing. */
export const suggestionFor = ({ meant }: UnknownField): string => (meant === undefined ? '' : ` Did you mean "${meant}"?`);

/** The known name with the fewest differences, if there are few enough: one in three letters. */
function nearest(typed: string, known: readonly string[]): string | undefined {
  const near = known.map((name) => ({ name, far: distance(fold(typed), fold(name)) })).toSorted((a, b) => a.far - b.far)[0];
  return near !== undefined && near.far <= Math.max(1, Math.floor(typed.length / 3)) ? near.name : undefined;
}

/** A name this long is nobody's typing error. */
const CHARS_MAX = 40;

const fold = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '').slice(0, CHARS_MAX);

/** How many letters to add, drop or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (const [to, other] of [...b].entries()) {
      next.push(Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, (row[to] ?? 0) + Number(letter !== other)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
