import type { Life } from './carrier.ts';
import { jsonOf } from './frames.ts';
import type { Seal } from './seal.ts';

/** Something a machine left for the others to read: by whom in clear, the rest sealed. */
export interface SealedRecord {
  readonly by: Life;
  readonly value: unknown;
}

export function sealRecord(seal: Seal, by: Life, kind: string, value: unknown): Buffer {
  const head = Buffer.from(`${JSON.stringify([by.node, by.epoch, by.instance])}\n`);
  return Buffer.concat([head, seal.seal(by, [kind, by.node, by.epoch, by.instance], Buffer.from(JSON.stringify(value)))]);
}

/** Undefined when it was changed, or sealed with another key. */
export function openRecord(seal: Seal, kind: string, bytes: Uint8Array): SealedRecord | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(10);
  const [node, epoch, instance] = Object(jsonOf(buffer.subarray(0, Math.max(0, end)))) as readonly unknown[];
  if (typeof node !== 'string' || typeof epoch !== 'number' || typeof instance !== 'string') return undefined;
  const by = { node, epoch, instance };
  const plain = seal.open(by, [kind, node, epoch, instance], buffer.subarray(end + 1));
  return plain === undefined ? undefined : { by, value: jsonOf(plain) };
}
