import { isObject, type Loose } from './shape.ts';

/** What is in a line of JSON, when that is an object. */
export function jsonObject(line: string): Loose<object> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
