import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Role, TokenName } from '../../protocol/actor.ts';
import { Sha256 } from '../../protocol/ids.ts';
import { newToken, sha256, writeSecretFile } from './secret.ts';

/** The name of the token that the server made for itself; nobody else may have it. */
export const OWNER_NAME = 'owner';

/** Without an id is what an older version wrote: its id is its name, and no token made since has such a one. */
const StoredToken = z.object({ id: z.optional(z.string()), name: TokenName, role: Role, sha256: Sha256, createdAt: z.string() });
export type StoredToken = z.infer<typeof StoredToken>;
const TokenFile = z.object({ tokens: z.array(StoredToken) });

export class TokenProblem extends Error {
  override readonly name = 'TokenProblem';
}

export function readNamedTokens(dataDir: string): readonly StoredToken[] {
  const text = readIfThere(fileIn(dataDir));
  if (text === undefined) return [];
  const parsed = z.safeParse(TokenFile, parseJson(text, dataDir));
  if (!parsed.success) throw new TokenProblem(`${fileIn(dataDir)} is not a list of tokens: ${z.prettifyError(parsed.error)}`);
  return parsed.data.tokens;
}

export const nameTaken = (name: string): string =>
  name === OWNER_NAME
    ? 'The name owner belongs to the token that the server made for itself: choose another name; the role may be owner all the same'
    : `There is a token named ${name} already: revoke it first`;

/** Makes a token and keeps only its hash: this is the one time it can be shown. */
export function addNamedToken(dataDir: string, name: string, role: Role): string {
  const checked = z.safeParse(TokenName, name);
  if (!checked.success) throw new TokenProblem(checked.error.issues[0]?.message ?? 'bad name');
  const known = readNamedTokens(dataDir);
  if (name === OWNER_NAME || known.some((token) => token.name === name)) throw new TokenProblem(nameTaken(name));
  const token = newToken();
  write(dataDir, [...known, { id: `${name}:${randomBytes(6).toString('base64url')}`, name, role, sha256: sha256(token), createdAt: new Date().toISOString() }]);
  return token;
}

/** False when there was none of that name. */
export function revokeNamedToken(dataDir: string, name: string): boolean {
  const known = readNamedTokens(dataDir);
  const left = known.filter((token) => token.name !== name);
  if (left.length === known.length) return false;
  write(dataDir, left);
  return true;
}

const fileIn = (dataDir: string): string => join(dataDir, 'tokens.json');

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseJson(text: string, dataDir: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TokenProblem(`${fileIn(dataDir)} is not JSON`, { cause });
  }
}

const write = (dataDir: string, tokens: readonly StoredToken[]): void => writeSecretFile(fileIn(dataDir), { tokens });
