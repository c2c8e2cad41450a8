import { placeOf, type Stretch } from '../../../../../src/domain/timeline/axis.ts';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { durationText } from '../../../../base/words/words.ts';
import type { View } from './view.ts';

/** Where each kind of thing is drawn: top and height. */
export const LANES = { context: [8, 56], turns: [76, 16], tools: [98, 12], waits: [118, 12] } as const;
export const HEIGHT_PX = 154;
/** Room for the names of the lanes, and behind the last thing. */
export const GUTTER_PX = 58;
const END_PX = 12;
/** Shorter things are drawn as wide as this, so that they can be seen and hit. */
const LEAST_PX = 2;

export interface Picture {
  readonly timeline: SessionTimeline;
  readonly axis: readonly Stretch[];
  readonly view: View;
  readonly widthPx: number;
  readonly nowMs: number;
  /** The event that is set off. */
  readonly lit: number | undefined;
}

type Ink = (name: string) => string;

/** Draws the session: a function of what it is given and nothing else. */
export function draw(canvas: CanvasRenderingContext2D, picture: Picture, ink: Ink): void {
  canvas.clearRect(0, 0, picture.widthPx, HEIGHT_PX);
  drawNames(canvas, ink);
  canvas.save();
  canvas.beginPath();
  canvas.rect(GUTTER_PX, 0, picture.widthPx - GUTTER_PX, HEIGHT_PX);
  canvas.clip();
  drawIdle(canvas, picture, ink);
  drawContext(canvas, picture, ink);
  drawSpans(canvas, picture, ink);
  drawCompactions(canvas, picture, ink);
  canvas.restore();
}

function drawNames(canvas: CanvasRenderingContext2D, ink: Ink): void {
  canvas.font = `10.5px ${ink('--font')}`;
  canvas.textAlign = 'left';
  canvas.fillStyle = ink('--ink-3');
  for (const [name, [top, height]] of Object.entries(LANES)) canvas.fillText(NAMES[name] ?? name, 12, top + height / 2 + 4);
}

const NAMES: Readonly<Record<string, string>> = { tools: 'calls' };

export const xOf = ({ axis, view, widthPx }: Pick<Picture, 'axis' | 'view' | 'widthPx'>, ms: number): number =>
  GUTTER_PX + ((placeOf(axis, ms) - view.from) / (view.to - view.from)) * (widthPx - GUTTER_PX - END_PX);

/** Where nothing happened, how long that was. */
function drawIdle(canvas: CanvasRenderingContext2D, picture: Picture, ink: Ink): void {
  canvas.font = `10.5px ${ink('--font')}`;
  canvas.textAlign = 'center';
  for (const { fromMs, toMs, isIdle } of picture.axis) {
    if (!isIdle) continue;
    const [from, to] = [xOf(picture, fromMs), xOf(picture, toMs)];
    if (to < 0 || from > picture.widthPx) continue;
    canvas.fillStyle = ink('--rule');
    for (let y = 70; y < 134; y += 6) canvas.fillRect((from + to) / 2, y, 1, 3);
    canvas.fillStyle = ink('--ink-3');
    canvas.fillText(durationText(toMs - fromMs), (from + to) / 2, HEIGHT_PX - 6);
  }
}

/** How full the context was, as steps, below the window's edge. */
function drawContext(canvas: CanvasRenderingContext2D, picture: Picture, ink: Ink): void {
  const { context, windowTokens } = picture.timeline;
  const [top, height] = LANES.context;
  const most = Math.max(windowTokens ?? 0, ...context.map(({ tokens }) => tokens), 1);
  const yOf = (tokens: number): number => top + height - (tokens / most) * height;
  canvas.fillStyle = ink('--rule');
  canvas.fillRect(0, top + height, picture.widthPx, 1);
  if (windowTokens !== undefined && context.length > 0) for (let x = 0; x < picture.widthPx; x += 8) canvas.fillRect(x, yOf(windowTokens), 4, 1);
  for (const [at, point] of context.entries()) {
    const next = context[at + 1];
    const [from, to] = [xOf(picture, point.atMs), next === undefined ? xOf(picture, picture.nowMs) : xOf(picture, next.atMs)];
    if (to < 0 || from > picture.widthPx) continue;
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

function drawSpans(canvas: CanvasRenderingContext2D, picture: Picture, ink: Ink): void {
  const { turns, tools, waits } = picture.timeline;
  const block = (span: Block, [top, height]: readonly [number, number], colour: string): void => {
    const from = xOf(picture, span.atMs);
    const width = Math.max(LEAST_PX, xOf(picture, span.endMs ?? picture.nowMs) - from - 1);
    if (from + width < 0 || from > picture.widthPx) return;
    canvas.fillStyle = colour;
    canvas.fillRect(from, top, width, height);
    if (span.seq !== picture.lit) return;
    canvas.strokeStyle = ink('--ink');
    canvas.strokeRect(from - 1.5, top - 1.5, width + 3, height + 3);
  };
  // Colour is state: what runs is green, what waits amber, what failed red; all else is ink.
  const turnInk = { open: '--clear', failed: '--stop', done: '--ink-3', interrupted: '--track' } as const;
  for (const turn of turns) block(turn, LANES.turns, ink(turnInk[turn.outcome]));
  for (const tool of tools) block(tool, LANES.tools, ink(tool.failed ? '--stop' : tool.endMs === undefined ? '--clear' : '--track'));
  for (const wait of waits) block(wait, LANES.waits, ink(wait.endMs === undefined ? '--caution' : '--ink-3'));
}

function drawCompactions(canvas: CanvasRenderingContext2D, picture: Picture, ink: Ink): void {
  const [top, height] = LANES.context;
  canvas.fillStyle = ink('--ink');
  for (const { atMs } of picture.timeline.compactions) {
    const x = xOf(picture, atMs);
    canvas.fillRect(x, top, 1, height);
    canvas.beginPath();
    canvas.moveTo(x - 4, top);
    canvas.lineTo(x + 5, top);
    canvas.lineTo(x + 0.5, top + 6);
    canvas.fill();
  }
}

/** What lies under a point: the event, and what it is in words. */
export function hit(picture: Picture, x: number, y: number): { readonly seq: number; readonly words: string } | undefined {
  const { turns, tools, waits, compactions } = picture.timeline;
  const near = <T extends Block>(spans: readonly T[]): T | undefined =>
    spans.findLast(
      (span) => x >= xOf(picture, span.atMs) - 3 && x <= Math.max(xOf(picture, span.endMs ?? picture.nowMs), xOf(picture, span.atMs) + LEAST_PX) + 3,
    );
  const lasted = ({ atMs, endMs }: Block): string => (endMs === undefined ? 'not over' : durationText(endMs - atMs));
  if (y >= LANES.waits[0] - 3) {
    const wait = near(waits);
    return wait && { seq: wait.seq, words: `waited for a person: ${wait.tool}, ${lasted(wait)}` };
  }
  if (y >= LANES.tools[0] - 3) {
    const tool = near(tools);
    const many = tool !== undefined && tool.count > 1 ? `${tool.count} calls from ` : '';
    return tool && { seq: tool.seq, words: `${many}${tool.name} ${tool.gist ?? ''}, ${lasted(tool)}${tool.failed ? ', failed' : ''}` };
  }
  if (y < LANES.turns[0] - 8) {
    const compaction = compactions.find(({ atMs }) => Math.abs(xOf(picture, atMs) - x) < 6);
    return compaction && { seq: compaction.seq, words: `shortened its memory (${compaction.trigger})` };
  }
  const turn = near(turns);
  return turn && { seq: turn.seq, words: `${turn.title ?? 'a turn'}, ${lasted(turn)}` };
}
