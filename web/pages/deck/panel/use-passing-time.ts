import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { type Scale, shiftAt, stillMs } from './scale.ts';

/** More often than this nobody sees it; still, as people wish who want no motion, every so many seconds. */
const FASTEST_MS = 100;
const CALM_MS = 10_000;

/** Moves the picture as time passes: one attribute of one element, when it is a pixel late, and only while the page is seen. */
export function usePassingTime(moving: RefObject<SVGGElement | null>, scale: Scale, now: () => number): void {
  // A drawing says where the picture stood when it was made: by now it may be a pixel further.
  useLayoutEffect(() => moveTo(moving.current, scale, now()));
  useEffect(() => {
    const calm = isStill() ? CALM_MS : FASTEST_MS;
    let [timer, frame] = [0, 0];
    // A page that nobody sees is given no frames: then the chain rests until it is looked at again.
    const step = () => {
      moveTo(moving.current, scale, now());
      timer = window.setTimeout(
        () => {
          frame = requestAnimationFrame(step);
        },
        Math.max(calm, stillMs(scale, devicePixelRatio)),
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

/** The system's wish, or the page's own setting. */
const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.dataset.motion === 'still';
