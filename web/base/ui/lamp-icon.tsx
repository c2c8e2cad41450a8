import type { Shape } from './lamp.ts';

/** Color and shape, never color alone. Its word is always next to it. */
export function LampIcon({ shape }: { readonly shape: Shape }) {
  return (
    <svg className={`lamp lamp-${shape}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

const SHAPES = {
  disc: (
    <>
      <circle className="halo" cx="8" cy="8" r="8" />
      <circle cx="8" cy="8" r="4.5" />
    </>
  ),
  diamond: (
    <>
      <circle className="halo" cx="8" cy="8" r="8" />
      <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" />
    </>
  ),
  square: <rect x="3.5" y="3.5" width="9" height="9" rx="1" />,
  ring: <circle className="line" cx="8" cy="8" r="4.2" />,
  dotted: <circle className="line dots" cx="8" cy="8" r="4.2" />,
  check: <path className="line" d="M3.6 8.4 6.8 11.6 12.6 4.8" strokeLinecap="round" strokeLinejoin="round" />,
  skip: <path className="line" d="M4 4.4 7.6 8 4 11.6M8.6 4.4 12.2 8 8.6 11.6" strokeLinecap="round" strokeLinejoin="round" />,
  barred: (
    <>
      <circle className="line" cx="8" cy="8" r="4.6" />
      <path className="line" d="M5 11 11 5" />
    </>
  ),
} as const;
