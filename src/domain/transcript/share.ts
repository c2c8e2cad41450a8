import type { Item } from './item.ts';

/** The new items, with the old object in place of each one that says the same, so that nothing is drawn again for nothing. */
export function shareItems(before: ReadonlyMap<string, Item>, after: ReadonlyMap<string, Item>): Map<string, Item> {
  const shared = new Map<string, Item>();
  for (const [key, item] of after) {
    const old = before.get(key);
    shared.set(key, old !== undefined && sameFields(old, item) ? old : item);
  }
  return shared;
}

function sameFields(a: Item, b: Item): boolean {
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return left.length === right.size && left.every(([name, value]) => sameValue(value, right.get(name)));
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, at) => value === b[at]);
  return a === b;
}
