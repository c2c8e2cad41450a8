import { isObject, type Loose } from './shape.ts';

/** The object in a line of JSON; undefined for anything else. */
export function jsonObject(line: string): Loose<object> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One line of JSON for any text: newlines are escaped, and half a surrogate pair, which APIs reject, becomes U+FFFD. */
export const jsonLine = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part));
