import { useLocation } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Transcript } from '../../../src/domain/transcript/transcript.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { containsEvent } from '../../store/sessions/window.ts';
import { shownIn } from '../../store/state/app-state.ts';
import { useIsAddressed } from '../address/addressed-context.ts';
import { rowOfEvent } from './row-of-event.ts';
import { scrollToRow } from './scroll-to-row.ts';
import { useReadingPosition } from './use-reading-position.ts';

/** The event an address asks for, and whether the page has shown it yet. */
export interface Target {
  readonly seq: number;
  /** Where it was on the screen before a reload. Unset: scroll the event to the middle and highlight it. */
  readonly px: number | undefined;
  /** The page's number of jumps when it started to look for the event. */
  readonly startedAtJump: number;
  isShown: boolean;
}

/** An address that ends in `#e<seq>` opens at that event, however far back: if it isn't loaded, the page fetches a window around it. */
export function useEventTarget(sessionId: string): RefObject<Target | undefined> {
  const isAddressed = useIsAddressed();
  const hash = useLocation({ select: (location) => (isAddressed ? location.hash : '') });
  const position = useReadingPosition(sessionId, hash);
  const seq = position?.seq ?? Number(/^e(\d+)$/.exec(hash)?.[1] ?? 0);
  const cockpit = useCockpit();
  // Without a target, don't render again with every new word.
  const shown = useApp((state) => (seq === 0 ? undefined : shownIn(state, sessionId)));
  const jumps = useApp((state) => state.open.get(sessionId)?.jumps ?? 0);
  const target = useRef<Target>(undefined);
  if (target.current?.seq !== seq || target.current.px !== position?.px)
    target.current = seq === 0 ? undefined : { seq, px: position?.px, startedAtJump: jumps, isShown: false };
  const requested = useRef<Target>(undefined);
  useEffect(() => {
    const wanted = target.current;
    if (wanted?.seq !== seq || wanted === requested.current || shown === undefined || shown.firstSeq === 0) return;
    requested.current = wanted;
    if (!containsEvent(shown, wanted.seq)) void cockpit.showEvent(sessionId, wanted.seq);
  }, [cockpit, sessionId, shown, seq]);
  return target;
}

/** How long the target stays highlighted. */
const LIT_MS = 2500;

/** Scrolls to the event once its window has loaded. Returns the row to highlight for a moment. */
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
    if (wanted === undefined || wanted.isShown || shown === undefined || !isLoaded(shown, wanted, jumps)) return;
    const row = rowOfEvent(shown, wanted.seq);
    if (row === undefined) return;
    wanted.isShown = true;
    if (wanted.px !== undefined) return scrollToRow(virtualizer, row.key, wanted.px);
    for (const key of row.folds) cockpit.setExpanded(key, true);
    scrollToRow(virtualizer, row.key);
    setLit(row.key);
  });
  useEffect(() => {
    if (lit === undefined) return;
    const timer = setTimeout(() => setLit(undefined), LIT_MS);
    return () => clearTimeout(timer);
  }, [lit]);
  return lit;
}

/** The event itself is loaded or, once its window was fetched, the rows around it are. */
const isLoaded = (shown: Transcript, { seq, startedAtJump }: Target, jumps: number): boolean => containsEvent(shown, seq) || jumps > startedAtJump;
