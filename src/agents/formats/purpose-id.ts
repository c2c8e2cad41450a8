import { jsonLine, jsonObject } from './json-object.ts';
import { isObject } from './shape.ts';

/** The fields that an id of this purpose always has. */
type Fields = true | Readonly<Record<string, 'string' | 'object'>>;

/**
 * The id of our request says what the request is for: agents return it with the answer, so we need no memory to read it.
 * `purposes` lists every purpose with its fields; the type ensures that none is missing.
 */
export function purposeIds<Purpose extends { readonly for: string }>(purposes: Readonly<Record<Purpose['for'], Fields>>) {
  return {
    idOf: (purpose: Purpose): string => jsonLine(purpose),
    /** Only `idOf` makes these ids; any other id, or a damaged one, belongs to no request of ours. */
    purposeOf(id: string | number | null | undefined): Purpose | undefined {
      const read = typeof id === 'string' && id.startsWith('{') ? jsonObject(id) : undefined;
      if (read === undefined || typeof read.for !== 'string' || !Object.hasOwn(purposes, read.for)) return undefined;
      const fields: Fields = purposes[read.for as Purpose['for']];
      const isWhole =
        fields === true || Object.entries(fields).every(([name, type]) => (type === 'object' ? isObject(read[name]) : typeof read[name] === 'string'));
      return isWhole ? (read as unknown as Purpose) : undefined;
    },
  };
}
