type Json = Readonly<Record<string, unknown>>;

/** JSON merge patch (RFC 7396): objects are merged, null removes, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(objectOr(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

const objectOr = (value: unknown): Json => (isObject(value) ? value : {});
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
