/** Parses a line; undefined when it isn't JSON. */
export function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
