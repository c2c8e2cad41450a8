import { createHash } from 'node:crypto';
import type { BlobSink } from '../domain/long-content.ts';
import type { BlobRef } from '../protocol/event.ts';

/** Bytes of a hash that archive.db stores; reading the blob compares the full hash. */
const KEPT_BYTES = 8;

export const shortHash = (sha256: string): Uint8Array => Buffer.from(sha256.slice(0, KEPT_BYTES * 2), 'hex');

const NONE: readonly Uint8Array[] = [];

/** References long content by hash; the content itself stays in the record. */
export class BlobHashes implements BlobSink {
  private readonly hashes: Uint8Array[] = [];

  constructor(private readonly wanted?: string) {}

  /** The content with the wanted hash, once found. */
  found: Buffer | undefined;

  text(whole: string): BlobRef {
    return this.name(Buffer.from(whole));
  }

  image(base64: string): BlobRef {
    return this.name(Buffer.from(base64, 'base64'));
  }

  /** The shortened hashes since the last call. */
  taken(): readonly Uint8Array[] {
    return this.hashes.length === 0 ? NONE : this.hashes.splice(0);
  }

  private name(content: Buffer): BlobRef {
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (sha256 === this.wanted) this.found = content;
    this.hashes.push(shortHash(sha256));
    return { sha256, bytes: content.length };
  }
}
