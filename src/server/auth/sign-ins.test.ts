import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSignIns, SIGN_IN_LIFE_MS, SIGN_INS_PER_TOKEN } from './sign-ins.ts';
import { openTokens } from './tokens.ts';

let dataDir: string;
let now = 0;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-sign-ins-'));
  now = 1_000_000;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** The tokens and sign-ins of a server that has just started. */
function started(ownerToken?: string) {
  const tokens = openTokens(dataDir, ownerToken);
  const signIns = openSignIns(dataDir, tokens, () => now);
  return { tokens, signIns, as: (token: string, cookies: readonly string[] = []) => signIns.start(tokens.verify(token)!, cookies) };
}

test('[R290] a cookie and a key work only together, and only when both belong to the same sign-in', () => {
  const { tokens, signIns, as } = started();
  const [one, other] = [as(tokens.ownerToken), as(tokens.ownerToken)];
  expect(signIns.opened([one.cookie], one.key)?.identity.name).toBe('owner');
  for (const [cookie, key] of [
    [one.cookie, other.key],
    [other.cookie, one.key],
    [one.cookie, one.cookie],
    [one.key, one.key],
    [one.cookie, ''],
    ['', one.key],
    [one.cookie, `${one.key}x`],
  ] as const) {
    expect(signIns.opened([cookie], key)).toBeUndefined();
  }
  // Another server on this host can set a cookie of the same name.
  expect(signIns.opened(['tossed', one.cookie], one.key)?.identity.name).toBe('owner');
});

test('[R292] a sign-in survives a restart, in a file that only its owner can read and that contains no secret', () => {
  const { tokens, as } = started();
  const { cookie, key } = as(tokens.ownerToken);
  const file = join(dataDir, 'sign-ins.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const secret of [cookie, key, tokens.ownerToken]) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  expect(started().signIns.opened([cookie], key)?.identity.name).toBe('owner');
});

test('[R292] a sign-in ends on sign-out, when it expires, and when the owner’s token changes', () => {
  const { signIns, as } = started('first');
  const [ended, old] = [as('first'), as('first')];
  const endedIds: string[] = [];
  signIns.onEnd((id) => endedIds.push(id));
  const { id } = signIns.opened([ended.cookie], ended.key)!;
  signIns.end(id);
  expect(endedIds).toEqual([id]);
  expect(signIns.opened([ended.cookie], ended.key)).toBeUndefined();
  expect(signIns.identityOf(id)).toBeUndefined();
  expect(started('first').signIns.opened([ended.cookie], ended.key)).toBeUndefined();
  expect(started('second').signIns.opened([old.cookie], old.key)).toBeUndefined();
  now += SIGN_IN_LIFE_MS - 1;
  expect(signIns.isNamed([old.cookie])).toBe(true);
  now += 1;
  expect(signIns.isNamed([old.cookie])).toBe(false);
  expect(signIns.opened([old.cookie], old.key)).toBeUndefined();
});

test('[R108] revoking a token ends its sign-ins, and a new token with the same name doesn’t restore them', () => {
  const { tokens, signIns, as } = started();
  const { cookie, key } = as(tokens.add('anna', 'viewer'));
  expect(signIns.opened([cookie], key)?.identity).toMatchObject({ name: 'anna' });
  tokens.revoke('anna');
  expect([signIns.isNamed([cookie]), signIns.opened([cookie], key)]).toEqual([false, undefined]);
  tokens.add('anna', 'owner');
  expect([signIns.isNamed([cookie]), signIns.opened([cookie], key)]).toEqual([false, undefined]);
});

test('signing in again in the same browser keeps its sign-in and the keys of other tabs', () => {
  const { tokens, signIns, as } = started();
  const first = as(tokens.ownerToken);
  const again = as(tokens.ownerToken, ['tossed', first.cookie]);
  expect(again.cookie).toBe(first.cookie);
  const ids = [first.key, again.key].map((key) => signIns.opened([first.cookie], key)?.id);
  expect(ids).toEqual([expect.any(String), ids[0]]);
});

test('signing in as somebody else in the same browser ends the previous sign-in', () => {
  const { tokens, signIns, as } = started();
  const owner = as(tokens.ownerToken);
  const anna = as(tokens.add('anna', 'viewer'), [owner.cookie]);
  expect(signIns.isNamed([owner.cookie])).toBe(false);
  expect(signIns.opened([anna.cookie], anna.key)?.identity.name).toBe('anna');
});

test('a token has a maximum number of sign-ins: the least recently used one ends, and nobody else’s', () => {
  const { tokens, signIns, as } = started();
  const anna = as(tokens.add('anna', 'viewer'));
  const all = Array.from({ length: SIGN_INS_PER_TOKEN }, () => {
    now += 1;
    return as(tokens.ownerToken);
  });
  now += 2 * 24 * 3600 * 1000;
  expect(signIns.opened([all[0]!.cookie], all[0]!.key)).toBeDefined();
  as(tokens.ownerToken);
  const isThere = ({ cookie }: { readonly cookie: string }) => signIns.isNamed([cookie]);
  expect([isThere(all[0]!), isThere(all[1]!), isThere(all[2]!), isThere(anna)]).toEqual([true, false, true, true]);
});

test('an unreadable file signs nobody in, and the next sign-in works', () => {
  writeFileSync(join(dataDir, 'sign-ins.json'), '{"signIns":[{"id":1}]}');
  const { tokens, signIns, as } = started();
  const { cookie, key } = as(tokens.ownerToken);
  expect(signIns.opened([cookie], key)).toBeDefined();
});

test('a cookie alone, or with a wrong key, doesn’t count as a use of the token', () => {
  const { tokens, signIns } = started();
  tokens.add('anna', 'driver');
  const { cookie } = signIns.start(tokens.claimed('anna')!, []);
  signIns.isNamed([cookie]);
  signIns.opened([cookie], 'wrong');
  expect(tokens.list().find((token) => token.name === 'anna')?.lastUsedAt).toBeUndefined();
});
