import { useMemo, useState } from 'react';
import type * as z from 'zod/mini';
import { useApp } from '../../store/cockpit-context.ts';

/**
 * What a form holds until it is done with, by person: a reload takes nothing that was typed. It is kept in this tab only, so that nobody meets half-made
 * choices of another day. What is as it was in the beginning is not kept.
 */
export function useKept<T>(name: string, shape: z.ZodMiniType<T>, fresh: T): readonly [T, (next: T) => void] {
  const who = useApp(({ you }) => you?.id);
  const key = who === undefined ? undefined : `signalbox:kept:${encodeURIComponent(who)}:${name}`;
  const found = useMemo(() => (key === undefined ? undefined : readKept(key, shape)), [key, shape]);
  const [changed, change] = useState<{ readonly key: string | undefined; readonly value: T }>();
  const keep = (value: T) => {
    change({ key, value });
    if (key !== undefined) writeKept(key, value === fresh ? undefined : value);
  };
  // Before it is known who is here only what was typed in this page is shown.
  const isOurs = changed !== undefined && (changed.key === undefined || changed.key === key);
  return [isOurs ? changed.value : (found ?? fresh), keep];
}

/** A storage that is forbidden or full keeps nothing, and the page goes on. */
function readKept<T>(key: string, shape: z.ZodMiniType<T>): T | undefined {
  try {
    const kept = sessionStorage.getItem(key);
    if (kept === null) return undefined;
    const parsed = shape.safeParse(JSON.parse(kept));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function writeKept(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page itself still holds it.
  }
}
