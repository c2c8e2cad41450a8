import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Role, TokenName } from '../../protocol/actor.ts';
import { Sha256 } from '../../protocol/ids.ts';
import { newToken, sha256, writeSecretFile } from './secret.ts';

/** The name of the server's own token; no other token can have it. */
export const OWNER_NAME = 'owner';

/** Older versions stored no id: then the name is the id, and no newer token can have such an id. */
const StoredToken = z.object({
  id: z.optional(z.string()),
  name: TokenName,
  role: Role,
  sha256: Sha256,
  createdAt: z.string(),
  /** The id of the person whose device has this token. It acts as that person, and ends with that person's own token. */
  person: z.optional(z.string()),
});
export type StoredToken = z.infer<typeof StoredToken>;
const TokenFile = z.object({ tokens: z.array(StoredToken) });

export class TokenProblem extends Error {
  override readonly name = 'TokenProblem';
}

export function readNamedTokens(dataDir: string): readonly StoredToken[] {
  const text = readIfPresent(fileIn(dataDir));
  if (text === undefined) return [];
  const parsed = z.safeParse(TokenFile, parseJson(text, dataDir));
  if (!parsed.success)
    throw new TokenProblem(`${fileIn(dataDir)} is damaged (fix it, or delete it and create the tokens again): ${z.prettifyError(parsed.error)}`);
  return parsed.data.tokens;
}

export const nameTaken = (name: string): string =>
  name === OWNER_NAME
    ? 'The name "owner" is reserved for the server’s own token. Choose another name; you can still give it the role owner.'
    : `There is already a token named "${name}". Choose another name, or revoke that token first.`;

/** Creates a token and stores only its hash: this is the one time it can be shown. */
export function addNamedToken(dataDir: string, name: string, role: Role, person?: string): string {
  const checked = z.safeParse(TokenName, name);
  if (!checked.success) throw new TokenProblem(checked.error.issues[0]?.message ?? 'Invalid name');
  const known = readNamedTokens(dataDir);
  if (name === OWNER_NAME || known.some((token) => token.name === name)) throw new TokenProblem(nameTaken(name));
  const token = newToken();
  const id = `${name}:${randomBytes(6).toString('base64url')}`;
  const createdAt = new Date().toISOString();
  write(dataDir, [...known, { id, name, role, sha256: sha256(token), createdAt, ...(person !== undefined && { person }) }]);
  return token;
}

/** False when there is no token with that name. */
export function revokeNamedToken(dataDir: string, name: string): boolean {
  const known = readNamedTokens(dataDir);
  const left = known.filter((token) => token.name !== name);
  if (left.length === known.length) return false;
  write(dataDir, left);
  return true;
}

const fileIn = (dataDir: string): string => join(dataDir, 'tokens.json');

function readIfPresent(file: string): string | undefined {
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
    throw new TokenProblem(`${fileIn(dataDir)} is not valid JSON: fix it, or delete it and create the tokens again`, { cause });
  }
}

const write = (dataDir: string, tokens: readonly StoredToken[]): void => writeSecretFile(fileIn(dataDir), { tokens });
