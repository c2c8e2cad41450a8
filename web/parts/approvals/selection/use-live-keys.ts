import { useLayoutEffect, useState } from 'react';
import type { Chosen } from './selection.ts';

/** A key pressed for one card must not answer another that has just taken its place. */
const HOLD_MS = 300;
/** A request this old was there before the person looked. */
const OLD_MS = 1000;

/** Whether single keys act on this card: at once when a person selected it, a moment later when it was selected for them. */
export function useLiveKeys(chosen: Chosen | undefined, askedAt: string): boolean {
  const [heldFor, setHeldFor] = useState<Chosen | undefined>(() => (chosen === 'at-open' && Date.now() - Date.parse(askedAt) > OLD_MS ? chosen : undefined));
  useLayoutEffect(() => {
    const timer = setTimeout(() => setHeldFor(chosen), HOLD_MS);
    return () => {
      clearTimeout(timer);
      setHeldFor(undefined);
    };
  }, [chosen]);
  return chosen === 'by-hand' || (chosen !== undefined && heldFor === chosen);
}
