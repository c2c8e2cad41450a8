import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, type RefObject, useState } from 'react';
import { momentAt } from '../../../../src/domain/panel/moments.ts';
import { beyondNow, type Scale, timeAt, xOf } from '../../../parts/track/scale.ts';
import type { Line } from './lines.ts';
import { MomentTip } from './moment-tip.tsx';
import { isDirection, moveCursor, type PanelMoment } from './move-cursor.ts';
import { lineAt, middleOf, type Rows } from './rows.ts';

interface Field {
  readonly lines: readonly Line[];
  readonly rows: Rows;
  readonly scale: Scale;
  readonly field: RefObject<HTMLDivElement | null>;
  readonly now: () => number;
}

export interface PanelInput {
  readonly pointer: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onClickCapture: (event: MouseEvent) => void;
  };
  readonly keys: { readonly onKeyDown: (event: KeyboardEvent) => void; readonly onFocus: () => void; readonly onBlur: () => void };
  /** The moment selected with the keys. */
  readonly selected: PanelMoment | undefined;
  readonly ring: { readonly line: number; readonly from: number; readonly to: number } | undefined;
  readonly tip: ReactNode;
}

/** A finger is less precise than a mouse. */
const SLACK = { mouse: 5, pen: 5, touch: 14 } as const;

/** Pointer and keyboard input of the panel: which moment is under it, and how to open it. */
export function usePanelInput(at: Field): PanelInput {
  const navigate = useNavigate();
  const [hovered, setHovered] = useState<PanelMoment | undefined>();
  const [selected, setSelected] = useState<PanelMoment | undefined>();
  const found = (event: { readonly clientX: number; readonly clientY: number }, slack: number): PanelMoment | undefined => momentUnder(at, event, slack);
  const open = ({ sessionId, moment }: PanelMoment) => void navigate({ to: '/s/$sessionId', params: { sessionId }, hash: `e${moment.seq}` });
  const since = (): number => at.now() - at.scale.windowMs;
  const shown = hovered ?? selected;
  return {
    pointer: {
      onPointerMove: (event) => {
        if (event.pointerType === 'mouse') setHovered((before) => same(before, found(event, SLACK.mouse)));
      },
      onPointerLeave: () => setHovered(undefined),
      onClickCapture: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.detail === 0) return;
        const target = found(event, matchMedia('(pointer: coarse)').matches ? SLACK.touch : SLACK.mouse);
        if (target === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        open(target);
      },
    },
    keys: {
      onKeyDown: (event) => {
        if (event.key === 'Enter' && selected !== undefined) open(selected);
        else if (isDirection(event.key)) {
          const { key } = event;
          setSelected((before) => moveCursor(at.lines, before, key, since()));
        } else return;
        event.preventDefault();
      },
      onFocus: () => setSelected((before) => before ?? moveCursor(at.lines, undefined, 'End', since())),
      onBlur: () => setSelected(undefined),
    },
    selected,
    ring: selected === undefined ? undefined : ringOf(at, selected),
    tip: shown !== undefined && <Tip at={at} target={shown} />,
  };
}

/** Keeps the old object when nothing changed, to avoid a redraw. */
const same = (before: PanelMoment | undefined, after: PanelMoment | undefined): PanelMoment | undefined =>
  before?.sessionId === after?.sessionId && before?.moment.seq === after?.moment.seq && before?.moment.kind === after?.moment.kind ? before : after;

function momentUnder(
  { lines, rows, scale, field, now }: Field,
  { clientX, clientY }: { clientX: number; clientY: number },
  slack: number,
): PanelMoment | undefined {
  const box = field.current?.getBoundingClientRect();
  if (box === undefined || scale.width === 0) return undefined;
  const [x, y] = [clientX - box.left, clientY - box.top];
  const index = lineAt(rows, y, lines.length);
  // In stacked rows the upper half is the title, which opens the session itself.
  if (index === undefined || (rows.name === 'stacked' && Math.abs(y - middleOf(rows, index)) > slack)) return undefined;
  const line = lines[index];
  if (line?.track === undefined || x < 0 || x > scale.width + slack) return undefined;
  const moment = momentAt(line.track, timeAt(scale, x, now()), (slack * scale.windowMs) / scale.width);
  return moment === undefined ? undefined : { sessionId: line.id, moment };
}

function ringOf({ lines, scale }: Field, { sessionId, moment }: PanelMoment): PanelInput['ring'] {
  const line = lines.findIndex(({ id }) => id === sessionId);
  const end = moment.kind === 'wait' ? moment.from : moment.to;
  return line === -1 ? undefined : { line, from: xOf(scale, moment.from), to: end === undefined ? beyondNow(scale) : xOf(scale, end) };
}

function Tip({ at: { lines, rows, scale, now }, target }: { readonly at: Field; readonly target: PanelMoment }) {
  const line = lines.findIndex(({ id }) => id === target.sessionId);
  const x = scale.width - ((now() - target.moment.from) * scale.width) / scale.windowMs;
  return line === -1 ? null : <MomentTip target={target} x={x} y={middleOf(rows, line)} width={scale.width} />;
}
