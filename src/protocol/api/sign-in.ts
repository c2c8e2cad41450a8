import * as z from 'zod/mini';

/** A page sends the key of its sign-in with every request to the API; the cookie alone gives no access. */
export const KEY_HEADER = 'x-signalbox-key';

/** Where a page stores a key that it just got, until the browser's database has it. Two servers can share an origin under different paths. */
export const newKeyName = (basePath: string): string => `signalbox:new-key:${basePath}`;

/** What follows a sign-in in the address: the key, and then the previous fragment, such as `e12`. */
export const keyFragment = (key: string, before: string): string => `#key=${key}${before === '' ? '' : `&${before}`}`;

export function keyInFragment(fragment: string): { readonly key: string; readonly before: string } | undefined {
  const found = /^#key=([\w-]+)(?:&(.*))?$/.exec(fragment);
  return found?.[1] === undefined ? undefined : { key: found[1], before: found[2] ?? '' };
}

/** The query parameter that holds the signature of a link; it is always the last one. */
export const SIGNED_PARAMETER = 'signed';

export const LinkBody = z.strictObject({ path: z.string().check(z.minLength(1), z.maxLength(8000)) });
export const SignedLink = z.object({ url: z.string(), expiresAt: z.string() });
export type SignedLink = z.infer<typeof SignedLink>;
