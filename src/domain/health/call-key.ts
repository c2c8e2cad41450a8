import type { EventOf } from '../../protocol/event.ts';
import { DEEPER, DEEPEST } from '../long-content.ts';

/** Two calls with the same key ask for the same thing. Short for any input, because it is stored in snapshots. */
export function callKey({ name, input, blobs }: Pick<EventOf<'tool.started'>, 'name' | 'input' | 'blobs'>): string {
  const text = JSON.stringify([name, sorted(input), sorted(blobs)]);
  return `${text.length}:${hash(text)}`;
}

/** The order in which an agent writes its arguments means nothing. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return DEEPER;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => [name, sorted(field, depth + 1)]);
}

/** Two 32-bit FNV-1a hashes, 64 bits together: an accidental collision of two calls in a row is not a concern. */
function hash(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
