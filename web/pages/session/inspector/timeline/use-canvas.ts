import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A canvas that is redrawn on every render, with the theme's colors and at device resolution. */
export function useCanvas(
  draw: (context: CanvasRenderingContext2D, ink: (name: string) => string) => void,
  widthPx: number,
  heightPx: number,
): RefObject<HTMLCanvasElement | null> {
  const ref = useRef<HTMLCanvasElement>(null);
  const [, redraw] = useState(0);
  useEffect(() => onTheme(() => redraw((count) => count + 1)), []);
  useLayoutEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || widthPx === 0) return;
    const style = getComputedStyle(canvas);
    const known = new Map<string, string>();
    const ink = (name: string): string => {
      const value = known.get(name) ?? style.getPropertyValue(name).trim();
      known.set(name, value);
      return value;
    };
    const sharp = devicePixelRatio;
    canvas.width = Math.round(widthPx * sharp);
    canvas.height = Math.round(heightPx * sharp);
    canvas.style.width = `${widthPx}px`;
    canvas.style.height = `${heightPx}px`;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    draw(context, ink);
  });
  return ref;
}

/** A canvas keeps the colors it was drawn with, so it is redrawn for a new theme. */
function onTheme(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: light)');
  system.addEventListener('change', callback);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', callback);
  };
}
