import { useLocation } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { shownIn } from '../store/app-state.ts';
import { holds } from '../store/window.ts';
import { placeOf } from './place-of.ts';

/** How long the event that was looked for is set off from the others. */
const LIT_MS = 2500;

/** An address that ends in `#e<seq>` opens at that event, however far back it lies. Returns the row to set off, for a moment. */
export function useEventTarget(sessionId: string, virtualizer: Virtualizer<HTMLDivElement, Element>): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const seq = Number(/^e(\d+)$/.exec(hash)?.[1] ?? 0);
  const cockpit = useCockpit();
  const shown = useApp((state) => shownIn(state, sessionId));
  const asked = useRef('');
  const done = useRef('');
  const [lit, setLit] = useState<string>();
  useEffect(() => {
    if (seq === 0 || shown === undefined || shown.firstSeq === 0 || done.current === hash) return;
    if (!holds(shown, seq) && asked.current !== hash) {
      asked.current = hash;
      return void cockpit.lookAt(sessionId, seq);
    }
    const place = placeOf(shown, seq);
    if (place === undefined) return;
    done.current = hash;
    for (const key of place.folds) cockpit.setExpanded(key, true);
    virtualizer.scrollToIndex(place.index, { align: 'center' });
    setLit(place.key);
  }, [cockpit, sessionId, hash, seq, shown, virtualizer]);
  useEffect(() => {
    if (lit === undefined) return;
    const timer = setTimeout(() => setLit(undefined), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}
