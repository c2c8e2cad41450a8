import { timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../protocol/actor.ts';
import type { KnownToken } from '../../protocol/http.ts';
import { addNamedToken, OWNER_NAME, readNamedTokens, revokeNamedToken, type StoredToken } from './named-tokens.ts';
import { newToken, sha256 } from './secret.ts';
import { openTokenUses, type TokenUses } from './token-uses.ts';

/** Who a request comes from. `hash` is the SHA-256 of the token, never the token. */
export interface Identity {
  /** Unique to this token: a later token with the same name has a different id. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
  /** The machine at which they signed in, if it is another one of the cluster: it vouches for them. */
  readonly via?: string;
}

export interface Tokens {
  /** The owner's own token, for the address that `serve` prints. */
  readonly ownerToken: string;
  /** The file with the owner's token; absent when it comes from the environment. */
  readonly ownerFile?: string;
  verify(token: string): Identity | undefined;
  /** By name, without counting as a use of the token. */
  claimed(name: string): Identity | undefined;
  /** By name, as it is now: a revoked token is gone immediately. */
  named(name: string): Identity | undefined;
  /** Without the secrets, which are not stored. */
  list(): readonly KnownToken[];
  /** Creates a token and returns its secret, the only time it can be shown. Throws `TokenProblem` when the name is taken. */
  add(name: string, role: Role): string;
  /** False when there is no token with that name. */
  revoke(name: string): boolean;
}

/** The owner's token (from the environment, or generated once and stored with mode 0600) and the named ones in the data folder. */
export function openTokens(dataDir: string, fromEnvironment?: string): Tokens {
  const ownerFile = join(dataDir, 'token');
  const ownerToken = fromEnvironment ?? ownerTokenIn(dataDir, ownerFile);
  const owner: Identity = { id: OWNER_NAME, name: OWNER_NAME, role: 'owner', hash: sha256(ownerToken) };
  const stored = namedReader(dataDir);
  const named = () => stored().map(identityOf);
  const claimed = (name: string) => (name === OWNER_NAME ? owner : named().find((identity) => identity.name === name));
  const uses = openTokenUses(dataDir);
  return {
    ownerToken,
    ...(fromEnvironment === undefined ? { ownerFile } : {}),
    verify: (token) => noted(uses, match(sha256(token), [owner, ...named()])),
    claimed,
    named: (name) => noted(uses, claimed(name)),
    list: () => [known(owner, uses), ...stored().map((token) => known({ ...identityOf(token), createdAt: token.createdAt }, uses))],
    add: (name, role) => addNamedToken(dataDir, name, role),
    revoke: (name) => revokeNamedToken(dataDir, name),
  };
}

function ownerTokenIn(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${newToken()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const token = readFileSync(file, 'utf8').trim();
  if (token === '') throw new Error(`The token file ${file} is empty. Delete it and restart the server to create a new token.`);
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return token;
}

/** Reads tokens.json again only when it has changed, so that `token add` and `token revoke` work on a running server. */
function namedReader(dataDir: string): () => readonly StoredToken[] {
  let stamp = '';
  let known: readonly StoredToken[] = [];
  return () => {
    const now = stampOf(join(dataDir, 'tokens.json'));
    if (now !== stamp) {
      known = readNamedTokens(dataDir);
      stamp = now;
    }
    return known;
  };
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

const identityOf = (stored: StoredToken): Identity => ({ id: stored.id ?? stored.name, name: stored.name, role: stored.role, hash: stored.sha256 });

function noted(uses: TokenUses, identity: Identity | undefined): Identity | undefined {
  if (identity !== undefined) uses.used(identity.id);
  return identity;
}

function known({ id, name, role, createdAt }: Omit<KnownToken, 'lastUsedAt'>, uses: TokenUses): KnownToken {
  const lastUsedAt = uses.lastUsed(id);
  return { id, name, role, ...(createdAt !== undefined && { createdAt }), ...(lastUsedAt !== undefined && { lastUsedAt }) };
}

/** Compares with every candidate, so that the time taken reveals nothing. */
function match(hash: string, candidates: readonly Identity[]): Identity | undefined {
  const given = Buffer.from(hash, 'hex');
  let found: Identity | undefined;
  for (const candidate of candidates) {
    if (timingSafeEqual(given, Buffer.from(candidate.hash, 'hex'))) found ??= candidate;
  }
  return found;
}
