import { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { DEEPEST } from '../long-content.ts';

/** The text of a blob, by its hash; undefined if it is missing. */
export type ReadFullText = (sha256: string) => string | undefined;

/** An event with the full texts of which it stores only the head. */
export function fullEvent(event: Event, textOf: ReadFullText): Event {
  const found = Object.entries(event.blobs ?? {}).flatMap(([path, { sha256, bytes }]) => {
    const names = path.split('.');
    const text = bytes <= LIMITS.searchedTextBytes && names.length <= DEEPEST + 1 ? textOf(sha256) : undefined;
    return text === undefined ? [] : [{ path: names, text }];
  });
  if (found.length === 0) return event;
  const whole: unknown = found.reduce<unknown>((made, { path, text }) => withText(made, path, text), event);
  const parsed = Event.safeParse(whole);
  return parsed.success ? parsed.data : event;
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.map((one, index) => (String(index) === name ? withText(one, rest, text) : one));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: withText(Reflect.get(value, name), rest, text) };
}
