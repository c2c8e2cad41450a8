import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** By which push services know that messages come from the server that a browser subscribed to (RFC 8292). */
export interface Vapid {
  /** The public key as browsers want it. */
  readonly publicKey: string;
  /** The header of one message to this address. */
  authorization(endpoint: string, now: number): string;
}

const StoredKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), d: z.string(), x: z.string(), y: z.string() });

/** A push service takes a signature for a day at most. */
const VALID_SECONDS = 12 * 60 * 60;
/** Whom a push service could write to; it is asked for, and nobody here has an address to give. */
const SUBJECT = 'https://signalbox.invalid';

/** The key is made once and kept 0600: with another one every browser would have to subscribe again. */
export function openVapid(dataDir: string): Vapid {
  const jwk = keyIn(join(dataDir, 'push-key.json'), dataDir);
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = Buffer.concat([Buffer.from([4]), Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.y, 'base64url')]).toString('base64url');
  return {
    publicKey,
    authorization: (endpoint, now) =>
      `vapid t=${signed(key, { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + VALID_SECONDS, sub: SUBJECT })}, k=${publicKey}`,
  };
}

function keyIn(file: string, dataDir: string): z.infer<typeof StoredKey> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) makeKey(file);
  try {
    return StoredKey.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is not a key: delete it, start again, and switch notifications on anew on every device`, { cause });
  }
}

/** Written beside and put in its place whole: whoever dies in between leaves no half key. */
function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, JSON.stringify(privateKey.export({ format: 'jwk' })), { mode: 0o600, flush: true });
  renameSync(next, file);
}

function signed(key: KeyObject, claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
