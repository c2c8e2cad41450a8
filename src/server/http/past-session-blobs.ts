import type { SessionIndex } from '../../index/session-index.ts';
import type { Event } from '../../protocol/event.ts';

/** Limit for the blobs of past sessions that are kept in memory while a document is written. */
const CACHED_BYTES = 64 * 1024 * 1024;

/** Long texts and images of past sessions, loaded in advance because the writer reads them synchronously. */
export class PastBlobs {
  readonly #cached = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(
    private readonly sessionIndex: Pick<SessionIndex, 'blob'>,
    private readonly own: (sha256: string) => Uint8Array | undefined,
    private readonly isWanted: (bytes: number) => boolean,
  ) {}

  get(sha256: string): Uint8Array | undefined {
    return this.own(sha256) ?? this.#cached.get(sha256);
  }

  async fetch(events: readonly Event[]): Promise<void> {
    for (const { sha256, bytes } of events.flatMap(blobsOf)) {
      if (!this.isWanted(bytes) || this.get(sha256) !== undefined) continue;
      const blob = await this.sessionIndex.blob(sha256);
      if (blob !== undefined) this.#cache(sha256, blob);
    }
  }

  #cache(sha256: string, blob: Uint8Array): void {
    this.#cached.set(sha256, blob);
    this.#bytes += blob.byteLength;
    for (const [oldest, evicted] of this.#cached) {
      if (this.#bytes <= CACHED_BYTES) return;
      this.#cached.delete(oldest);
      this.#bytes -= evicted.byteLength;
    }
  }
}

const blobsOf = (event: Event) => [...Object.values(event.blobs ?? {}), ...('images' in event ? (event.images ?? []) : [])];
