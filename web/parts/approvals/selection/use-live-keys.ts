import { useLayoutEffect, useState } from 'react';
import type { SelectedBy } from './selection.ts';

/** A key pressed for one card must not answer another that has just taken its place. */
const WAIT_MS = 300;
/** A request this old was there before the person looked. */
const OLD_MS = 1000;

/** Whether single keys act on this card: at once when a person selected it, a moment later when it was selected for them. */
export function useLiveKeys(chosen: SelectedBy | undefined, askedAt: string): boolean {
  const [readyFor, setReadyFor] = useState<SelectedBy | undefined>(() =>
    chosen === 'at-open' && Date.now() - Date.parse(askedAt) > OLD_MS ? chosen : undefined,
  );
  useLayoutEffect(() => {
    const timer = setTimeout(() => setReadyFor(chosen), WAIT_MS);
    return () => {
      clearTimeout(timer);
      setReadyFor(undefined);
    };
  }, [chosen]);
  return chosen === 'by-user' || (chosen !== undefined && readyFor === chosen);
}
