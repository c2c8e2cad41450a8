import * as z from 'zod/mini';

/** From when to when nobody had a page of this browser in front of them. */
export interface Absence {
  readonly since: string;
  readonly until: string;
}

/** When a page of this browser was last visible; all its tabs share it. */
export interface Presence {
  /** A page is visible again: the last long absence that nobody dismissed. */
  arrive(): Absence | undefined;
  /** A page is visible, or was until now. */
  note(): void;
  dismiss(): void;
}

/** Shorter absences need no recap: people remember. */
const ABSENCE_MS = 10 * 60_000;
/** A browser that is killed loses at most this much. */
const NOTE_MS = 15_000;

const SEEN_AT = 'signalbox:seen-at';
const ABSENCE = 'signalbox:absence';
const Stored = z.object({ since: z.string(), until: z.string() });

/** Storage may be blocked: then there is no recap. */
export function storedPresence(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, now: () => number, isVisible: () => boolean): Presence {
  let notedAt = Number.NEGATIVE_INFINITY;
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  const note = () => {
    if (Math.abs(now() - notedAt) < NOTE_MS) return;
    notedAt = now();
    attempt(() => storage.setItem(SEEN_AT, String(notedAt)));
  };
  return {
    note,
    arrive: () =>
      attempt(() => {
        // A tab in the background that reconnects is nobody coming back.
        if (!isVisible()) return undefined;
        const seenAt = Number(storage.getItem(SEEN_AT) ?? now());
        const absence = { since: new Date(seenAt).toISOString(), until: new Date(now()).toISOString() };
        if (now() - seenAt >= ABSENCE_MS) storage.setItem(ABSENCE, JSON.stringify(absence));
        note();
        return Stored.parse(JSON.parse(storage.getItem(ABSENCE) ?? 'null'));
      }),
    dismiss: () => attempt(() => storage.removeItem(ABSENCE)),
  };
}
