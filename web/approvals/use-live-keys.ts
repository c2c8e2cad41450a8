import { useEffect, useState } from 'react';

/** A key pressed for one card must not answer another that has just taken its place. */
const HOLD_MS = 300;
/** A request this old was there before the person looked. */
const OLD_MS = 1000;

/** Whether single keys act on this card: at once when a hand chose it, a moment later when it came by itself. */
export function useLiveKeys(hasKeys: boolean, isByHand: boolean, askedAt: string): boolean {
  const [isLive, setLive] = useState(() => hasKeys && Date.now() - Date.parse(askedAt) > OLD_MS);
  useEffect(() => {
    if (!hasKeys) return setLive(false);
    if (isByHand) return setLive(true);
    const timer = setTimeout(() => setLive(true), HOLD_MS);
    return () => clearTimeout(timer);
  }, [hasKeys, isByHand]);
  return hasKeys && isLive;
}
