import { jsonLine, jsonObject } from './json-object.ts';

/**
 * The id of our request says what the request is for: agents return it with the answer, so we need no memory to read it.
 * `names` lists every purpose; the type ensures that none is missing.
 */
export function purposeIds<Purpose extends { readonly for: string }>(names: Readonly<Record<Purpose['for'], true>>) {
  return {
    idOf: (purpose: Purpose): string => jsonLine(purpose),
    /** Only `idOf` makes these ids; any other id belongs to someone else's request. */
    purposeOf(id: string | number | null | undefined): Purpose | undefined {
      const read = typeof id === 'string' && id.startsWith('{') ? jsonObject(id) : undefined;
      return read !== undefined && typeof read.for === 'string' && Object.hasOwn(names, read.for) ? (read as unknown as Purpose) : undefined;
    },
  };
}
