import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { StartProblem } from '../../problems/start-problem.ts';

/** Proves to push services that messages come from the server a browser subscribed to (RFC 8292). */
export interface Vapid {
  /** The public key in the form browsers expect. */
  readonly publicKey: string;
  /** The Authorization header for one message to this address. */
  authorization(endpoint: string, now: number): string;
}

const StoredKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), d: z.string(), x: z.string(), y: z.string() });

/** Push services accept a signature for at most a day. */
const VALID_SECONDS = 12 * 60 * 60;
/** A contact for push services. They require one, but this server has no address of its own. */
const SUBJECT = 'https://signalbox.invalid';

/** The key is created once and stored with mode 0600: with a new key every browser would have to subscribe again. */
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
    throw new StartProblem(`${file} is not a key. Delete it, restart the server, and turn notifications on again on every device.`, { cause });
  }
}

/** Written to a second file and renamed, so that a crash leaves no partial key. */
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
