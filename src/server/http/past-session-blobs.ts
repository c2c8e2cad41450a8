import type { Library } from '../../index/session-index.ts';
import type { Event } from '../../protocol/event.ts';

/** So much of what past sessions named by its hash is held ready for the document that is being written. */
const HELD_BYTES = 64 * 1024 * 1024;

/** Long texts and images of past sessions, fetched before whoever writes needs them at once. */
export class PastBlobs {
  readonly #held = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(
    private readonly library: Pick<Library, 'blob'>,
    private readonly own: (sha256: string) => Uint8Array | undefined,
    private readonly isWanted: (bytes: number) => boolean,
  ) {}

  get(sha256: string): Uint8Array | undefined {
    return this.own(sha256) ?? this.#held.get(sha256);
  }

  async fetch(events: readonly Event[]): Promise<void> {
    for (const { sha256, bytes } of events.flatMap(blobsOf)) {
      if (!this.isWanted(bytes) || this.get(sha256) !== undefined) continue;
      const blob = await this.library.blob(sha256);
      if (blob !== undefined) this.#hold(sha256, blob);
    }
  }

  #hold(sha256: string, blob: Uint8Array): void {
    this.#held.set(sha256, blob);
    this.#bytes += blob.byteLength;
    for (const [oldest, held] of this.#held) {
      if (this.#bytes <= HELD_BYTES) return;
      this.#held.delete(oldest);
      this.#bytes -= held.byteLength;
    }
  }
}

const blobsOf = (event: Event) => [...Object.values(event.blobs ?? {}), ...('images' in event ? (event.images ?? []) : [])];
