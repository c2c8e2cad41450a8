import { type RefObject, useCallback, useEffect, useLayoutEffect } from 'react';
import { baseTime, pixelMs, type Scale, shiftAt } from '../../../parts/track/scale.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';

/** Faster than this nobody can see. With reduced motion the picture moves every few seconds. */
const FASTEST_MS = 100;
const REDUCED_MOTION_MS = 10_000;

/** Scrolls the picture with time: sets one attribute of one element, when it is a pixel late, and only while the page is visible. */
export function useScrollWithTime(moving: RefObject<SVGGElement | null>, scale: Scale, now: () => number): void {
  // A render uses the time it started at: by now the picture may be a pixel late.
  useLayoutEffect(() => moveTo(moving.current, scale, now()));
  useEffect(() => {
    const minMs = isStill() ? REDUCED_MOTION_MS : FASTEST_MS;
    let [timer, frame] = [0, 0];
    // A hidden page gets no frames, so this pauses until the page is visible again.
    const step = () => {
      moveTo(moving.current, scale, now());
      timer = window.setTimeout(
        () => {
          frame = requestAnimationFrame(step);
        },
        Math.max(minMs, pixelMs(scale, devicePixelRatio)),
      );
    };
    step();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [moving, scale, now]);
}

const moveTo = (moving: SVGGElement | null, scale: Scale, now: number): void =>
  moving?.setAttribute('transform', `translate(${shiftAt(scale, now, devicePixelRatio)} 0)`);

/** The system's preference or the page's own setting. */
const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.dataset.motion === 'still';

interface PanelClock {
  /** The server's time. It stops while offline. */
  readonly now: () => number;
  /** The time at x = 0. Changes a few times an hour. */
  readonly base: number;
}

export function usePanelClock(): PanelClock {
  const cockpit = useCockpit();
  const now = useCallback(() => {
    const { disconnectedSince, panel } = cockpit.store.getState();
    return (disconnectedSince ?? Date.now()) + panel.aheadMs;
  }, [cockpit]);
  const base = useApp((state) => baseTime(panelNow(state)));
  return { now, base };
}
