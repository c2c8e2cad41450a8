import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, type RefObject, useState } from 'react';
import { momentAt } from '../../../../src/domain/panel/moments.ts';
import type { Line } from './lines.ts';
import { MomentTip } from './moment-tip.tsx';
import { lineAt, middleOf, type Rows } from './rows.ts';
import { beyondNow, momentOf, placeOf, type Scale } from './scale.ts';
import { isDirection, type Place, walk } from './walk.ts';

interface Field {
  readonly lines: readonly Line[];
  readonly rows: Rows;
  readonly scale: Scale;
  readonly field: RefObject<HTMLDivElement | null>;
  readonly now: () => number;
}

export interface PanelHand {
  readonly pointer: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onClickCapture: (event: MouseEvent) => void;
  };
  readonly keys: { readonly onKeyDown: (event: KeyboardEvent) => void; readonly onFocus: () => void; readonly onBlur: () => void };
  /** What the keys are on. */
  readonly keyed: Place | undefined;
  readonly ring: { readonly line: number; readonly from: number; readonly to: number } | undefined;
  readonly tip: ReactNode;
}

/** A finger is wider than a pointer. */
const SLACK = { mouse: 5, pen: 5, touch: 14 } as const;

/** Pointing at the panel with a pointer or with keys: what is there, and how to open it. */
export function usePanelHand(at: Field): PanelHand {
  const navigate = useNavigate();
  const [pointed, setPointed] = useState<Place | undefined>();
  const [keyed, setKeyed] = useState<Place | undefined>();
  const found = (event: { readonly clientX: number; readonly clientY: number }, slack: number): Place | undefined => placeUnder(at, event, slack);
  const open = ({ sessionId, moment }: Place) => void navigate({ to: '/s/$sessionId', params: { sessionId }, hash: `e${moment.seq}` });
  const since = (): number => at.now() - at.scale.windowMs;
  const shown = pointed ?? keyed;
  return {
    pointer: {
      onPointerMove: (event) => {
        if (event.pointerType === 'mouse') setPointed((before) => same(before, found(event, SLACK.mouse)));
      },
      onPointerLeave: () => setPointed(undefined),
      onClickCapture: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.detail === 0) return;
        const place = found(event, matchMedia('(pointer: coarse)').matches ? SLACK.touch : SLACK.mouse);
        if (place === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        open(place);
      },
    },
    keys: {
      onKeyDown: (event) => {
        if (event.key === 'Enter' && keyed !== undefined) open(keyed);
        else if (isDirection(event.key)) {
          const { key } = event;
          setKeyed((before) => walk(at.lines, before, key, since()));
        } else return;
        event.preventDefault();
      },
      onFocus: () => setKeyed((before) => before ?? walk(at.lines, undefined, 'End', since())),
      onBlur: () => setKeyed(undefined),
    },
    keyed,
    ring: keyed === undefined ? undefined : ringOf(at, keyed),
    tip: shown !== undefined && <Tip at={at} place={shown} />,
  };
}

/** The same thing again changes nothing. */
const same = (before: Place | undefined, after: Place | undefined): Place | undefined =>
  before?.sessionId === after?.sessionId && before?.moment.seq === after?.moment.seq && before?.moment.kind === after?.moment.kind ? before : after;

function placeUnder({ lines, rows, scale, field, now }: Field, { clientX, clientY }: { clientX: number; clientY: number }, slack: number): Place | undefined {
  const box = field.current?.getBoundingClientRect();
  if (box === undefined || scale.width === 0) return undefined;
  const [x, y] = [clientX - box.left, clientY - box.top];
  const index = lineAt(rows, y, lines.length);
  // In rows of two lines the upper one is its title, which opens the session itself.
  if (index === undefined || (rows.name === 'stacked' && Math.abs(y - middleOf(rows, index)) > slack)) return undefined;
  const line = lines[index];
  if (line?.track === undefined || x < 0 || x > scale.width + slack) return undefined;
  const moment = momentAt(line.track, momentOf(scale, x, now()), (slack * scale.windowMs) / scale.width);
  return moment === undefined ? undefined : { sessionId: line.session.id, moment };
}

function ringOf({ lines, scale }: Field, { sessionId, moment }: Place): PanelHand['ring'] {
  const line = lines.findIndex(({ session }) => session.id === sessionId);
  const end = moment.kind === 'wait' ? moment.from : moment.to;
  return line === -1 ? undefined : { line, from: placeOf(scale, moment.from), to: end === undefined ? beyondNow(scale) : placeOf(scale, end) };
}

function Tip({ at: { lines, rows, scale, now }, place }: { readonly at: Field; readonly place: Place }) {
  const line = lines.findIndex(({ session }) => session.id === place.sessionId);
  const x = scale.width - ((now() - place.moment.from) * scale.width) / scale.windowMs;
  return line === -1 ? null : <MomentTip place={place} x={x} y={middleOf(rows, line)} width={scale.width} />;
}
