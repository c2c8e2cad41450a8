import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Life } from './carrier.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Keys of lives that were seen lately; making one takes microseconds. */
const CACHED_KEYS = 256;

/** What is sealed is bound to its place and its partners: opened anywhere else, it is refused. */
export type Binding = readonly (string | number)[];

/** AES-256-GCM under a key of its own for every life, so that random nonces never run out and what an earlier life wrote stays readable. */
export interface Seal {
  seal(by: Life, binding: Binding, plain: Uint8Array): Buffer;
  /** Undefined when it was changed, cut, moved, or sealed with another key. */
  open(by: Life, binding: Binding, sealed: Uint8Array): Buffer | undefined;
  /** The name under which something is stored; says nothing about it to anyone without the key. */
  nameOf(text: string): string;
}

export function createSeal(clusterKey: Uint8Array, cluster: string): Seal {
  if (clusterKey.length !== KEY_BYTES) throw new TypeError(`a cluster key has ${KEY_BYTES} bytes`);
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', clusterKey, `signalbox ${cluster}`, info, KEY_BYTES));
  const names = derive('names');
  const keys = new Map<string, Buffer>();
  const keyOf = ({ node, epoch, instance }: Life): Buffer => {
    const info = JSON.stringify(['life', node, epoch, instance]);
    const known = keys.get(info);
    if (known !== undefined) return known;
    if (keys.size >= CACHED_KEYS) keys.clear();
    const key = derive(info);
    keys.set(info, key);
    return key;
  };
  return {
    seal: (by, binding, plain) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(by), nonce).setAAD(Buffer.from(JSON.stringify(binding)));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (by, binding, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(by), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(JSON.stringify(binding))).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
    nameOf: (text) => createHmac('sha256', names).update(text).digest('base64url').slice(0, 22),
  };
}

/** As `signalbox nodes key` prints it. */
export const newClusterKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/** 32 bytes in base64 or hexadecimal; undefined for anything else. */
export function readClusterKey(text: string): Buffer | undefined {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, /[+/]/.test(text) ? 'base64' : 'base64url');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
