import type { KeyboardEvent, PointerEvent } from 'react';

interface SplitterProps {
  readonly label: string;
  /** Vertical, between columns; otherwise horizontal, between rows. */
  readonly isUpright: boolean;
  /** The size of the track before it, in percent. */
  readonly share: number;
  /** Its position, in percent of the frame. */
  readonly at: number;
  readonly frame: { readonly current: HTMLElement | null };
  readonly onResize: (by: number) => void;
}

/** In percent, per press of an arrow key. */
const STEP = 4;

/** The border between two tracks. Can be dragged or moved with the arrow keys. */
export function Splitter({ label, isUpright, share, at, frame, onResize }: SplitterProps) {
  const onKey = (event: KeyboardEvent) => {
    const by = stepOf(event.key, isUpright);
    if (by === 0) return;
    event.preventDefault();
    onResize(by);
  };
  const onMove = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const now = isUpright ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    onResize(now * 100 - at);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be dragged
    <div
      role="separator"
      className={isUpright ? 'splitter upright' : 'splitter'}
      aria-label={label}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(share)}
      aria-valuemin={0}
      aria-valuemax={100}
      tabIndex={0}
      style={isUpright ? { left: `${at}%` } : { top: `${at}%` }}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
    />
  );
}

function stepOf(key: string, isUpright: boolean): number {
  if (key === (isUpright ? 'ArrowRight' : 'ArrowDown')) return STEP;
  return key === (isUpright ? 'ArrowLeft' : 'ArrowUp') ? -STEP : 0;
}
