import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushTarget } from '../../protocol/api/outside/push.ts';

/** The random inputs of RFC 8291: new for each message, and fixed only to compare with the example in the standard. */
interface Fresh {
  readonly salt: Buffer;
  readonly privateKey: Buffer;
}

/** The whole message is a single record of at most this size (RFC 8188). */
const RECORD_BYTES = 4096;
const TAG_BYTES = 16;
/** The delimiter of the last record. */
const LAST = Buffer.from([2]);

/** Encrypts for one browser (RFC 8291, aes128gcm): the push service can't read what it carries. */
export function seal(text: string, { keys }: Pick<PushTarget, 'keys'>, fresh?: Fresh): Buffer {
  const ecdh = createECDH('prime256v1');
  if (fresh === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(fresh.privateKey);
  const [theirs, ours] = [Buffer.from(keys.p256dh, 'base64url'), ecdh.getPublicKey()];
  const salt = fresh?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const key = derived(ecdh.computeSecret(theirs), Buffer.from(keys.auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derived(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derived(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  const sealed = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), LAST])), cipher.final(), cipher.getAuthTag()]);
  return Buffer.concat([salt, headOf(ours), sealed]);
}

/** Text that fits one record next to its delimiter, tag and header. */
export const SEALED_TEXT_BYTES = RECORD_BYTES - TAG_BYTES - LAST.length - 86;

function headOf(publicKey: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES, 0);
  head.writeUInt8(publicKey.length, 4);
  return Buffer.concat([head, publicKey]);
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
