import { type AxisSegment, placeOf } from '../../../../../src/domain/timeline/axis.ts';
import type { SessionTimeline, TimelineTool } from '../../../../../src/protocol/api/timeline.ts';
import { durationText } from '../../../../base/text/format.ts';
import type { View } from './view.ts';

/** Where each kind is drawn: top and height. */
export const BANDS = { context: [8, 56], turns: [76, 16], tools: [98, 12], waits: [118, 12] } as const;
export const HEIGHT_PX = 154;
/** Room for the names of the bands, and at the end. */
export const GUTTER_PX = 58;
const END_PX = 12;
/** The minimum width, so that short spans can be seen and clicked. */
const MIN_PX = 2;

export interface Drawing {
  readonly timeline: SessionTimeline;
  readonly axis: readonly AxisSegment[];
  readonly view: View;
  readonly widthPx: number;
  readonly nowMs: number;
  /** The event to highlight. */
  readonly highlighted: number | undefined;
}

type Ink = (name: string) => string;

/** Draws the session. The same input always gives the same picture. */
export function draw(canvas: CanvasRenderingContext2D, drawing: Drawing, ink: Ink): void {
  canvas.clearRect(0, 0, drawing.widthPx, HEIGHT_PX);
  drawNames(canvas, ink);
  canvas.save();
  canvas.beginPath();
  canvas.rect(GUTTER_PX, 0, drawing.widthPx - GUTTER_PX, HEIGHT_PX);
  canvas.clip();
  drawIdle(canvas, drawing, ink);
  drawContext(canvas, drawing, ink);
  drawSpans(canvas, drawing, ink);
  drawCompactions(canvas, drawing, ink);
  canvas.restore();
}

function drawNames(canvas: CanvasRenderingContext2D, ink: Ink): void {
  canvas.font = `10.5px ${ink('--font')}`;
  canvas.textAlign = 'left';
  canvas.fillStyle = ink('--ink-3');
  for (const [name, [top, height]] of Object.entries(BANDS)) canvas.fillText(NAMES[name] ?? name, 12, top + height / 2 + 4);
}

const NAMES: Readonly<Record<string, string>> = { tools: 'calls' };

export const xOf = ({ axis, view, widthPx }: Pick<Drawing, 'axis' | 'view' | 'widthPx'>, ms: number): number =>
  GUTTER_PX + ((placeOf(axis, ms) - view.from) / (view.to - view.from)) * (widthPx - GUTTER_PX - END_PX);

/** Labels idle stretches with their duration. */
function drawIdle(canvas: CanvasRenderingContext2D, drawing: Drawing, ink: Ink): void {
  canvas.font = `10.5px ${ink('--font')}`;
  canvas.textAlign = 'center';
  for (const { fromMs, toMs, isIdle } of drawing.axis) {
    if (!isIdle) continue;
    const [from, to] = [xOf(drawing, fromMs), xOf(drawing, toMs)];
    if (to < 0 || from > drawing.widthPx) continue;
    canvas.fillStyle = ink('--rule');
    for (let y = 70; y < 134; y += 6) canvas.fillRect((from + to) / 2, y, 1, 3);
    canvas.fillStyle = ink('--ink-3');
    canvas.fillText(durationText(toMs - fromMs), (from + to) / 2, HEIGHT_PX - 6);
  }
}

/** Context use as steps, below a dashed line for the window. */
function drawContext(canvas: CanvasRenderingContext2D, drawing: Drawing, ink: Ink): void {
  const { context, windowTokens } = drawing.timeline;
  const [top, height] = BANDS.context;
  const max = Math.max(windowTokens ?? 0, ...context.map(({ tokens }) => tokens), 1);
  const yOf = (tokens: number): number => top + height - (tokens / max) * height;
  canvas.fillStyle = ink('--rule');
  canvas.fillRect(0, top + height, drawing.widthPx, 1);
  if (windowTokens !== undefined && context.length > 0) for (let x = 0; x < drawing.widthPx; x += 8) canvas.fillRect(x, yOf(windowTokens), 4, 1);
  for (const [at, point] of context.entries()) {
    const next = context[at + 1];
    const [from, to] = [xOf(drawing, point.atMs), next === undefined ? xOf(drawing, drawing.nowMs) : xOf(drawing, next.atMs)];
    if (to < 0 || from > drawing.widthPx) continue;
    canvas.fillStyle = ink('--raised');
    canvas.fillRect(from, yOf(point.tokens), Math.max(1, to - from), top + height - yOf(point.tokens));
    canvas.fillStyle = ink('--ink-2');
    canvas.fillRect(from, yOf(point.tokens), Math.max(1, to - from), 1.5);
  }
}

interface Block {
  readonly seq: number;
  readonly atMs: number;
  readonly endMs?: number | undefined;
}

function drawSpans(canvas: CanvasRenderingContext2D, drawing: Drawing, ink: Ink): void {
  const { turns, tools, waits } = drawing.timeline;
  const block = (span: Block, [top, height]: readonly [number, number], color: string): void => {
    const from = xOf(drawing, span.atMs);
    const width = Math.max(MIN_PX, xOf(drawing, span.endMs ?? drawing.nowMs) - from - 1);
    if (from + width < 0 || from > drawing.widthPx) return;
    canvas.fillStyle = color;
    canvas.fillRect(from, top, width, height);
    if (span.seq !== drawing.highlighted) return;
    canvas.strokeStyle = ink('--ink');
    canvas.strokeRect(from - 1.5, top - 1.5, width + 3, height + 3);
  };
  // Color means state: running is green, waiting amber, failed red; the rest is ink.
  const turnInk = { open: '--clear', failed: '--stop', crashed: '--stop', done: '--ink-3', interrupted: '--track' } as const;
  for (const turn of turns) block(turn, BANDS.turns, ink(turnInk[turn.outcome]));
  for (const tool of tools) block(tool, BANDS.tools, ink(tool.failed ? '--stop' : tool.endMs === undefined ? '--clear' : '--track'));
  for (const wait of waits) block(wait, BANDS.waits, ink(wait.endMs === undefined ? '--caution' : '--ink-3'));
}

function drawCompactions(canvas: CanvasRenderingContext2D, drawing: Drawing, ink: Ink): void {
  const [top, height] = BANDS.context;
  canvas.fillStyle = ink('--ink');
  for (const { atMs } of drawing.timeline.compactions) {
    const x = xOf(drawing, atMs);
    canvas.fillRect(x, top, 1, height);
    canvas.beginPath();
    canvas.moveTo(x - 4, top);
    canvas.lineTo(x + 5, top);
    canvas.lineTo(x + 0.5, top + 6);
    canvas.fill();
  }
}

/** The event under a point, and its description. */
export function hit(drawing: Drawing, x: number, y: number): { readonly seq: number; readonly text: string } | undefined {
  const { turns, tools, waits, compactions } = drawing.timeline;
  const near = <T extends Block>(spans: readonly T[]): T | undefined =>
    spans.findLast(
      (span) => x >= xOf(drawing, span.atMs) - 3 && x <= Math.max(xOf(drawing, span.endMs ?? drawing.nowMs), xOf(drawing, span.atMs) + MIN_PX) + 3,
    );
  const lasted = ({ atMs, endMs }: Block): string => (endMs === undefined ? 'in progress' : durationText(endMs - atMs));
  if (y >= BANDS.waits[0] - 3) {
    const wait = near(waits);
    return wait && { seq: wait.seq, text: `waited for an answer: ${wait.tool}, ${lasted(wait)}` };
  }
  if (y >= BANDS.tools[0] - 3) {
    const tool = near(tools);
    const many = tool !== undefined && tool.count > 1 ? `${tool.count} calls from ` : '';
    return tool && { seq: tool.seq, text: `${many}${tool.name} ${tool.gist ?? ''}, ${toolLasted(tool)}` };
  }
  if (y < BANDS.turns[0] - 8) {
    const compaction = compactions.find(({ atMs }) => Math.abs(xOf(drawing, atMs) - x) < 6);
    return compaction && { seq: compaction.seq, text: `compacted the context (${compaction.trigger})` };
  }
  const turn = near(turns);
  return turn && { seq: turn.seq, text: `${turn.title ?? 'Turn'}, ${turn.workMs === undefined ? lasted(turn) : durationText(turn.workMs)}` };
}

/** Without the time it waited for a person; a denied call never ran. */
function toolLasted({ atMs, endMs, waitedMs = 0, failed, denied }: TimelineTool): string {
  if (denied) return 'denied';
  if (endMs === undefined) return 'in progress';
  return `${durationText(Math.max(0, endMs - atMs - waitedMs))}${failed ? ', failed' : ''}`;
}
