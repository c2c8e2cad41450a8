import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addNamedToken, readNamedTokens, revokeNamedToken } from './named-tokens.ts';
import { sha256 } from './secret.ts';
import { openTokens } from './tokens.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-tokens-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const modeOf = (file: string): number => statSync(join(dataDir, file)).mode & 0o777;

test('the owner’s token is created once and only its owner can read it', () => {
  const first = openTokens(dataDir);
  expect(openTokens(dataDir).ownerToken).toBe(first.ownerToken);
  expect(first.ownerToken.length).toBeGreaterThanOrEqual(43);
  expect(modeOf('token')).toBe(0o600);
});

test('a token file that others can read is made private again', () => {
  writeFileSync(join(dataDir, 'token'), 'something-long-enough\n', { mode: 0o644 });
  expect(openTokens(dataDir).ownerToken).toBe('something-long-enough');
  expect(modeOf('token')).toBe(0o600);
});

test('an empty token file is not used as a token', () => {
  writeFileSync(join(dataDir, 'token'), '\n');
  expect(() => openTokens(dataDir)).toThrow(/is empty/);
});

test('a token from the environment replaces the file', () => {
  const tokens = openTokens(dataDir, 'from-the-environment');
  expect(tokens.verify('from-the-environment')).toMatchObject({ name: 'owner', role: 'owner' });
  expect(tokens.ownerFile).toBeUndefined();
});

test('only the hash of a named token is stored, and a running server knows it immediately', () => {
  const tokens = openTokens(dataDir);
  const anna = addNamedToken(dataDir, 'anna', 'driver');
  expect(tokens.verify(anna)).toMatchObject({ name: 'anna', role: 'driver' });
  expect(readFileSync(join(dataDir, 'tokens.json'), 'utf8')).not.toContain(anna);
  expect(modeOf('tokens.json')).toBe(0o600);
});

test('[R108] a revoked token stops working immediately', () => {
  const tokens = openTokens(dataDir);
  const secret = addNamedToken(dataDir, 'anna', 'driver');
  expect(tokens.verify(secret)).toMatchObject({ name: 'anna' });
  expect(revokeNamedToken(dataDir, 'anna')).toBe(true);
  expect(tokens.verify(secret)).toBeUndefined();
  expect(revokeNamedToken(dataDir, 'anna')).toBe(false);
});

test('taken or invalid names are refused with a readable message', () => {
  addNamedToken(dataDir, 'anna', 'driver');
  expect(() => addNamedToken(dataDir, 'anna', 'driver')).toThrow(/already/);
  expect(() => addNamedToken(dataDir, 'owner', 'driver')).toThrow(/Choose another name/);
  for (const name of ['', ' anna', 'a\nb', 'a\u202eb', 'x'.repeat(65)]) expect(() => addNamedToken(dataDir, name, 'driver')).toThrow(/token name/);
  addNamedToken(dataDir, 'Anna’s phone', 'driver');
  expect(readNamedTokens(dataDir).map(({ name }) => name)).toEqual(['anna', 'Anna’s phone']);
});

test('a token of an older version has its name as id, and a new one with that name has another id', () => {
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

test('the last use of a token is known after a restart', () => {
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

test('[R820] a damaged token file lets in only the owner, says so once, and is read again when it is repaired', () => {
  const said: string[] = [];
  const problems = { failed: (_what: string, error: unknown) => void said.push(String(error)), worked: () => void said.push('works') };
  const tokens = openTokens(dataDir, undefined, problems);
  const anna = addNamedToken(dataDir, 'anna', 'driver');
  expect(tokens.verify(anna)?.name).toBe('anna');
  const good = readFileSync(join(dataDir, 'tokens.json'), 'utf8');
  writeFileSync(join(dataDir, 'tokens.json'), good.slice(0, 20));
  expect(tokens.verify(tokens.ownerToken)?.role).toBe('owner');
  expect(tokens.verify(anna)).toBeUndefined();
  expect(said.filter((line) => line.includes('tokens.json is not valid JSON'))).toHaveLength(1);
  writeFileSync(join(dataDir, 'tokens.json'), good);
  expect(tokens.verify(anna)?.name).toBe('anna');
  expect(said.at(-1)).toBe('works');
});
