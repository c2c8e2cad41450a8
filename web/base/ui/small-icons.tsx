/** Icons of every message, tool and session, created once: as components they took a fifth of the first render of a session. */
const drawn = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

export const dots = (
  <svg width={16} height={16} {...drawn} strokeWidth={4} aria-hidden="true">
    <path d="M5 12h.01M12 12h.01M19 12h.01" />
  </svg>
);

export const foldArrow = (
  <svg className="fold-arrow" width={13} height={13} {...drawn} aria-hidden="true">
    <path d="m9 18 6-6-6-6" />
  </svg>
);
