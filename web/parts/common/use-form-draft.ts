import { useMemo, useState } from 'react';
import type * as z from 'zod/mini';
import { useApp } from '../../store/cockpit-context.ts';

/**
 * An unfinished form, per person: a reload loses nothing that was typed. It is stored in this tab only, so that nobody finds half-made choices from another
 * day. An unchanged form is not stored.
 */
export function useFormDraft<T>(name: string, shape: z.ZodMiniType<T>, fresh: T): readonly [T, (next: T) => void] {
  const who = useApp(({ you }) => you?.id);
  const key = who === undefined ? undefined : `signalbox:kept:${encodeURIComponent(who)}:${name}`;
  const found = useMemo(() => (key === undefined ? undefined : readDraft(key, shape)), [key, shape]);
  const [changed, change] = useState<{ readonly key: string | undefined; readonly value: T }>();
  const save = (value: T) => {
    change({ key, value });
    if (key !== undefined) writeDraft(key, value === fresh ? undefined : value);
  };
  // Until the page knows who is signed in, it shows only what was typed here.
  const isOurs = changed !== undefined && (changed.key === undefined || changed.key === key);
  return [isOurs ? changed.value : (found ?? fresh), save];
}

/** If storage is forbidden or full, nothing is saved and the page still works. */
function readDraft<T>(key: string, shape: z.ZodMiniType<T>): T | undefined {
  try {
    const stored = sessionStorage.getItem(key);
    if (stored === null) return undefined;
    const parsed = shape.safeParse(JSON.parse(stored));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function writeDraft(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page itself still has it.
  }
}
