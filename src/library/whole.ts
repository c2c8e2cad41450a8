import { whole } from '../domain/long-content.ts';
import type { Event } from '../protocol/event.ts';
import { LIMITS } from '../protocol/limits.ts';

/** Events as they are searched: what is sought may stand anywhere in a long text, not only in its head. */
export const wholeFor =
  (blobOf: (sha256: string) => Uint8Array | undefined) =>
  (event: Event): Event =>
    whole(event, ({ sha256, bytes }) => {
      const blob = bytes > LIMITS.searchedTextBytes ? undefined : blobOf(sha256);
      return blob && Buffer.from(blob).toString('utf8');
    });
