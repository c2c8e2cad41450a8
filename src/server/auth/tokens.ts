import { timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problems } from '../../problems/problems.ts';
import { StartProblem } from '../../problems/start-problem.ts';
import type { Role } from '../../protocol/actor.ts';
import type { KnownToken } from '../../protocol/http.ts';
import { addNamedToken, OWNER_NAME, readNamedTokens, revokeNamedToken, type StoredToken } from './named-tokens.ts';
import { mayActAs } from './roles.ts';
import { newToken, sha256 } from './secret.ts';
import { openTokenUses, type TokenUses } from './token-uses.ts';

/** Who a request comes from. `hash` is the SHA-256 of the token, never the token. */
export interface Identity {
  /** The person's. Unique to their token: a later token with the same name has a different id. A device has the id of its person. */
  readonly id: string;
  /** The token's, so a device has its own. */
  readonly name: string;
  readonly role: Role;
  readonly hash: string;
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
  add(name: string, role: Role, person?: string): string;
  /** False when there is no token with that name. */
  revoke(name: string): boolean;
}

/** The owner's token (from the environment, or generated once and stored with mode 0600) and the named ones in the data folder. */
export function openTokens(dataDir: string, fromEnvironment?: string, problems?: Pick<Problems, 'failed' | 'worked'>): Tokens {
  const ownerFile = join(dataDir, 'token');
  const ownerToken = fromEnvironment ?? ownerTokenIn(dataDir, ownerFile);
  const owner: Identity = { id: OWNER_NAME, name: OWNER_NAME, role: 'owner', hash: sha256(ownerToken) };
  const stored = namedReader(dataDir, problems);
  const named = () => identitiesOf(stored(), owner);
  const claimed = (name: string) => (name === OWNER_NAME ? owner : named().find((identity) => identity.name === name));
  const uses = openTokenUses(dataDir);
  return {
    ownerToken,
    ...(fromEnvironment === undefined ? { ownerFile } : {}),
    verify: (token) => noted(uses, match(sha256(token), [owner, ...named()])),
    claimed,
    named: (name) => noted(uses, claimed(name)),
    list: () => [known(owner, uses), ...stored().map((token) => known({ ...token, id: token.id ?? token.name }, uses))],
    add: (name, role, person) => addNamedToken(dataDir, name, role, person),
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
  if (token === '') throw new StartProblem(`The token file ${file} is empty. Delete it and restart the server to create a new token.`);
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return token;
}

const READ_TOKENS = 'read the tokens of people and devices';

/**
 * Reads tokens.json again only when it has changed, so that `token add` and `token revoke` work on a running server. A damaged file lets nobody in except the
 * owner, whose token is not in it.
 */
function namedReader(dataDir: string, problems?: Pick<Problems, 'failed' | 'worked'>): () => readonly StoredToken[] {
  let stamp = '';
  let known: readonly StoredToken[] = [];
  return () => {
    const now = stampOf(join(dataDir, 'tokens.json'));
    if (now === stamp) return known;
    stamp = now;
    try {
      known = readNamedTokens(dataDir);
      problems?.worked(READ_TOKENS);
    } catch (error) {
      known = [];
      problems?.failed(READ_TOKENS, error);
    }
    return known;
  };
}

function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

interface KnownIdentity extends Identity {
  /** Of the token, not of the person. */
  readonly tokenId: string;
}

/** A device is nobody once its person's token is gone, and can never do more than that person. */
function identitiesOf(stored: readonly StoredToken[], owner: Identity): readonly KnownIdentity[] {
  const people = new Map([owner, ...stored.filter(({ person }) => person === undefined).map(identityOf)].map((identity) => [identity.id, identity]));
  return stored.flatMap((token) => {
    const identity = identityOf(token);
    if (token.person === undefined) return [{ ...identity, tokenId: identity.id }];
    const person = people.get(token.person);
    return person === undefined ? [] : [{ ...identity, id: person.id, role: lowerRole(token.role, person.role), tokenId: identity.id }];
  });
}

const identityOf = (stored: StoredToken): Identity => ({ id: stored.id ?? stored.name, name: stored.name, role: stored.role, hash: stored.sha256 });

const lowerRole = (one: Role, other: Role): Role => (mayActAs(one, other) ? other : one);

function noted(uses: TokenUses, identity: Identity | KnownIdentity | undefined): Identity | undefined {
  if (identity === undefined) return undefined;
  const { id, name, role, hash } = identity;
  uses.used('tokenId' in identity ? identity.tokenId : id);
  return { id, name, role, hash };
}

function known({ id, name, role, createdAt, person }: Omit<KnownToken, 'lastUsedAt'>, uses: TokenUses): KnownToken {
  const lastUsedAt = uses.lastUsed(id);
  const device = person === undefined ? {} : { person };
  return { id, name, role, ...device, ...(createdAt !== undefined && { createdAt }), ...(lastUsedAt !== undefined && { lastUsedAt }) };
}

/** Compares with every candidate, so that the time taken reveals nothing. */
function match<T extends Identity>(hash: string, candidates: readonly T[]): T | undefined {
  const given = Buffer.from(hash, 'hex');
  let found: T | undefined;
  for (const candidate of candidates) {
    if (timingSafeEqual(given, Buffer.from(candidate.hash, 'hex'))) found ??= candidate;
  }
  return found;
}
