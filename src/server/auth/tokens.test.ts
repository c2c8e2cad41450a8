import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCookieJar } from './cookie.ts';
import { addNamedToken, readNamedTokens, revokeNamedToken } from './named-tokens.ts';
import { sha256 } from './secret.ts';
import { openTokens } from './tokens.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-tokens-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const modeOf = (file: string): number => statSync(join(dataDir, file)).mode & 0o777;

test('the owner’s token is made once and kept for its owner alone', () => {
  const first = openTokens(dataDir);
  expect(openTokens(dataDir).ownerToken).toBe(first.ownerToken);
  expect(first.ownerToken.length).toBeGreaterThanOrEqual(43);
  expect(modeOf('token')).toBe(0o600);
});

test('a token file that others could read is closed again', () => {
  writeFileSync(join(dataDir, 'token'), 'something-long-enough\n', { mode: 0o644 });
  expect(openTokens(dataDir).ownerToken).toBe('something-long-enough');
  expect(modeOf('token')).toBe(0o600);
});

test('an empty token file is not taken for a token', () => {
  writeFileSync(join(dataDir, 'token'), '\n');
  expect(() => openTokens(dataDir)).toThrow(/is empty/);
});

test('a token of the environment replaces the file', () => {
  const tokens = openTokens(dataDir, 'from-the-environment');
  expect(tokens.verify('from-the-environment')).toMatchObject({ name: 'owner', role: 'owner' });
  expect(tokens.ownerFile).toBeUndefined();
});

test('of a named token only the hash is kept, and an open store knows it at once', () => {
  const tokens = openTokens(dataDir);
  const anna = addNamedToken(dataDir, 'anna', 'driver');
  expect(tokens.verify(anna)).toMatchObject({ name: 'anna', role: 'driver' });
  expect(readFileSync(join(dataDir, 'tokens.json'), 'utf8')).not.toContain(anna);
  expect(modeOf('tokens.json')).toBe(0o600);
});

test('[R108] a revoked token is gone at once, and its cookie with it', () => {
  const tokens = openTokens(dataDir);
  const anna = tokens.verify(addNamedToken(dataDir, 'anna', 'driver'));
  const jar = createCookieJar({ tokens, port: 1, path: '/', secure: false, now: () => 0 });
  const cookie = jar.issue(anna!);
  expect(jar.read(cookie)).toEqual(anna);
  expect(revokeNamedToken(dataDir, 'anna')).toBe(true);
  expect(jar.read(cookie)).toBeUndefined();
  expect(revokeNamedToken(dataDir, 'anna')).toBe(false);
});

test('the same name given again is another token: the old cookie does not open it', () => {
  const tokens = openTokens(dataDir);
  const jar = createCookieJar({ tokens, port: 1, path: '/', secure: false, now: () => 0 });
  const cookie = jar.issue(tokens.verify(addNamedToken(dataDir, 'anna', 'viewer'))!);
  revokeNamedToken(dataDir, 'anna');
  addNamedToken(dataDir, 'anna', 'owner');
  expect(jar.read(cookie)).toBeUndefined();
});

test('names that are taken or odd are refused in words', () => {
  addNamedToken(dataDir, 'anna', 'driver');
  expect(() => addNamedToken(dataDir, 'anna', 'driver')).toThrow(/already/);
  expect(() => addNamedToken(dataDir, 'owner', 'driver')).toThrow(/choose another name/);
  expect(() => addNamedToken(dataDir, 'a b', 'driver')).toThrow(/token name/);
  expect(readNamedTokens(dataDir)).toHaveLength(1);
});

const cookies = [
  ['as it was issued', (value: string) => value, true],
  ['with another name in it', (value: string) => value.replace(/=[^.]+/, `=${Buffer.from('anna').toString('base64url')}`), false],
  ['with a later expiry', (value: string) => value.replace(/\.(\d+)\./, (_all, expiry) => `.${Number(expiry) + 1}.`), false],
  ['with a cut signature', (value: string) => value.replace(/.;/, ';'), false],
  ['empty', (value: string) => value.replace(/=[^;]*/, '='), false],
] as const;
for (const [name, change, isGood] of cookies) {
  test(`a cookie ${name} is ${isGood ? 'taken' : 'refused'}`, () => {
    const tokens = openTokens(dataDir);
    addNamedToken(dataDir, 'anna', 'owner');
    const jar = createCookieJar({ tokens, port: 1, path: '/', secure: true, now: () => 0 });
    expect(jar.read(change(jar.issue(tokens.named('owner')!))) !== undefined).toBe(isGood);
  });
}

test('a cookie ends after its time, and never holds the token itself', () => {
  const tokens = openTokens(dataDir);
  let now = 0;
  const jar = createCookieJar({ tokens, port: 1, path: '/x', secure: true, now: () => now });
  const line = jar.issue(tokens.named('owner')!);
  expect(line).toMatch(/^signalbox_1=.*; Path=\/x; HttpOnly; SameSite=Strict; Secure; Max-Age=7776000$/);
  expect(line).not.toContain(tokens.ownerToken);
  now = 7_776_000_000 - 1;
  expect(jar.read(line)?.name).toBe('owner');
  now += 1;
  expect(jar.read(line)).toBeUndefined();
});

test('a token of an older version keeps its name as its id, and a new one of that name has another', () => {
  const old = { name: 'anna', role: 'driver', sha256: sha256('old-secret'), createdAt: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(dataDir, 'tokens.json'), JSON.stringify({ tokens: [old] }));
  const tokens = openTokens(dataDir);
  expect(tokens.verify('old-secret')).toMatchObject({ id: 'anna', name: 'anna' });
  tokens.revoke('anna');
  const ids = ['anna', 'anna'].map((name) => {
    const id = tokens.verify(tokens.add(name, 'driver'))?.id;
    tokens.revoke(name);
    return id;
  });
  expect(new Set(['anna', ...ids]).size).toBe(3);
});

test('a forged cookie is no use of the token that it names', () => {
  const tokens = openTokens(dataDir);
  tokens.add('anna', 'driver');
  const jar = createCookieJar({ tokens, port: 1, path: '/', secure: false, now: () => 0 });
  expect(jar.read(`signalbox_1=${Buffer.from('anna').toString('base64url')}.9999999999.bad`)).toBeUndefined();
  const lastUsed = () => tokens.list().find((token) => token.name === 'anna')?.lastUsedAt;
  expect(lastUsed()).toBeUndefined();
  const cookie = jar.issue(tokens.claimed('anna')!);
  expect(jar.read(cookie)).toMatchObject({ name: 'anna' });
  expect(lastUsed()).toEqual(expect.any(String));
});

test('when a token was last used is known after a restart', () => {
  const tokens = openTokens(dataDir);
  tokens.verify(tokens.add('anna', 'driver'));
  const lastUsed = openTokens(dataDir)
    .list()
    .map((token) => [token.name, token.lastUsedAt]);
  expect(lastUsed).toEqual([
    ['owner', undefined],
    ['anna', expect.stringMatching(/^\d{4}-.*Z$/)],
  ]);
  writeFileSync(join(dataDir, 'token-uses.json'), 'broken');
  expect(openTokens(dataDir).list()[1]?.lastUsedAt).toBeUndefined();
});
