import { createHash } from 'node:crypto';
import type { BlobSink } from '../domain/long-content.ts';
import type { BlobRef } from '../protocol/event.ts';

/** As much of a hash as archive.db keeps; whoever reads the blob compares all of it. */
const KEPT_BYTES = 8;

export const keptHash = (sha256: string): Uint8Array => Buffer.from(sha256.slice(0, KEPT_BYTES * 2), 'hex');

const NONE: readonly Uint8Array[] = [];

/** Names long content by its hash; the content itself stays in the record. */
export class BlobPlaces implements BlobSink {
  private readonly hashes: Uint8Array[] = [];

  constructor(private readonly wanted?: string) {}

  /** The content whose hash is wanted, when it came by. */
  found: Buffer | undefined;

  text(whole: string): BlobRef {
    return this.name(Buffer.from(whole));
  }

  image(base64: string): BlobRef {
    return this.name(Buffer.from(base64, 'base64'));
  }

  /** The beginnings of the hashes that were given out since this was last asked. */
  taken(): readonly Uint8Array[] {
    return this.hashes.length === 0 ? NONE : this.hashes.splice(0);
  }

  private name(content: Buffer): BlobRef {
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (sha256 === this.wanted) this.found = content;
    this.hashes.push(keptHash(sha256));
    return { sha256, bytes: content.length };
  }
}
