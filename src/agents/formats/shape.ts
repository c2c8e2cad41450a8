/**
 * Checks whether a value has a shape, without copying it. Records have millions of lines, and a schema copies what it reads:
 * on the recorded lines that took five times as long as JSON.parse.
 */
export type Shape<T> = (value: unknown) => value is T;

/** Unknown fields are allowed: each version of an agent adds some. */
export type Loose<T> = T & Readonly<Record<string, unknown>>;

export const text: Shape<string> = (value) => typeof value === 'string';
export const amount: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
export const flag: Shape<boolean> = (value) => typeof value === 'boolean';
export const anything: Shape<unknown> = (_value): _value is unknown => true;
export const isObject: Shape<Loose<object>> = (value): value is Loose<object> => typeof value === 'object' && value !== null && !Array.isArray(value);

export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value) =>
    value === undefined || shape(value);

export const nullish =
  <T>(shape: Shape<T>): Shape<T | null | undefined> =>
  (value) =>
    value === undefined || value === null || shape(value);

export const list =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(shape);

export const either =
  <A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> =>
  (value) =>
    one(value) || other(value);

export const oneOf = <T extends string>(...words: readonly T[]): Shape<T> => {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value): value is T => known.has(value);
};

export function object<T>(fields: { readonly [K in keyof Required<T>]: Shape<T[K]> }): Shape<Loose<T>> {
  const checks: readonly [string, Shape<unknown>][] = Object.entries(fields);
  return (value): value is Loose<T> => isObject(value) && checks.every(([name, matches]) => matches(value[name]));
}
