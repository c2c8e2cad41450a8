import { useLocation } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Transcript } from '../../../src/domain/transcript/transcript.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { holds } from '../../store/sessions/window.ts';
import { shownIn } from '../../store/state/app-state.ts';
import { useIsAddressed } from '../address/addressed-context.ts';
import { placeOf } from './row-of-event.ts';
import { insist } from './scroll-to-row.ts';
import { useLeftPlace } from './use-reading-position.ts';

/** The event that an address asks for, and how far the page has come with showing it. */
export interface Target {
  readonly seq: number;
  /** Where it stood on the screen before a reload; an event that an address asks for is brought to the middle, and set off. */
  readonly px: number | undefined;
  /** How often the page had jumped when it set out for it. */
  readonly setOutAt: number;
  isShown: boolean;
}

/** An address that ends in `#e<seq>` opens at that event, however far back it lies: a window around it is fetched when it is not in sight. */
export function useEventTarget(sessionId: string): RefObject<Target | undefined> {
  const isAddressed = useIsAddressed();
  const hash = useLocation({ select: (location) => (isAddressed ? location.hash : '') });
  const left = useLeftPlace(sessionId, hash);
  const seq = left?.seq ?? Number(/^e(\d+)$/.exec(hash)?.[1] ?? 0);
  const cockpit = useCockpit();
  // Who looks for nothing is not drawn again with every word that comes.
  const shown = useApp((state) => (seq === 0 ? undefined : shownIn(state, sessionId)));
  const jumps = useApp((state) => state.open.get(sessionId)?.jumps ?? 0);
  const target = useRef<Target>(undefined);
  if (target.current?.seq !== seq || target.current.px !== left?.px)
    target.current = seq === 0 ? undefined : { seq, px: left?.px, setOutAt: jumps, isShown: false };
  const asked = useRef<Target>(undefined);
  useEffect(() => {
    const wanted = target.current;
    if (wanted?.seq !== seq || wanted === asked.current || shown === undefined || shown.firstSeq === 0) return;
    asked.current = wanted;
    if (!holds(shown, wanted.seq)) void cockpit.lookAt(sessionId, wanted.seq);
  }, [cockpit, sessionId, shown, seq]);
  return target;
}

/** How long the event that was looked for is set off from the others. */
const LIT_MS = 2500;

/** Scrolls to the event as soon as its window is there. Returns the row to set off, for a moment. */
export function useTargetShown(
  sessionId: string,
  target: RefObject<Target | undefined>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): string | undefined {
  const cockpit = useCockpit();
  const shown = useApp((state) => (target.current?.isShown === false ? shownIn(state, sessionId) : undefined));
  const jumps = useApp((state) => state.open.get(sessionId)?.jumps ?? 0);
  const [lit, setLit] = useState<string>();
  useEffect(() => {
    const wanted = target.current;
    if (wanted === undefined || wanted.isShown || shown === undefined || !isInSight(shown, wanted, jumps)) return;
    const place = placeOf(shown, wanted.seq);
    if (place === undefined) return;
    wanted.isShown = true;
    if (wanted.px !== undefined) return insist(virtualizer, place.key, wanted.px);
    for (const key of place.folds) cockpit.setExpanded(key, true);
    insist(virtualizer, place.key);
    setLit(place.key);
  });
  useEffect(() => {
    if (lit === undefined) return;
    const timer = setTimeout(() => setLit(undefined), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}

/** The event itself, or, once its window was fetched, the place where it would stand. */
const isInSight = (shown: Transcript, { seq, setOutAt }: Target, jumps: number): boolean => holds(shown, seq) || jumps > setOutAt;
