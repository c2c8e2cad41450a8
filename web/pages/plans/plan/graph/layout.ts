import { Graph, layout } from '@dagrejs/dagre';
import { type Linked, lineId } from '../steps/step-view.ts';

/** The size of a step in the graph; the style sheet has the same. */
export const STEP_WIDTH = 200;
export const STEP_HEIGHT = 72;

/** Between columns there is room for curves and for the button that inserts a step. */
const COLUMN_GAP = 48;
const ROW_GAP = 20;

/** Beyond this, the faster way to find columns: of 200 steps with two needs each, all is placed in 170 ms instead of 415. */
const MANY = 60;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** Its middle, where a button can be. */
  readonly middle: Place;
}

export interface GraphLayout {
  /** The upper left corner of each step. */
  readonly places: ReadonlyMap<string, Place>;
  readonly lines: readonly Line[];
}

/** Places the steps in columns from left to right, each right of what it needs. The same steps always get the same places. */
export function layoutGraph(steps: readonly Linked[]): GraphLayout {
  const graph = new Graph();
  const ranker = steps.length > MANY ? 'tight-tree' : 'network-simplex';
  graph.setGraph({ rankdir: 'LR', ranksep: COLUMN_GAP, nodesep: ROW_GAP, edgesep: 12, ranker });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(steps.map(({ id }) => id));
  for (const { id } of steps) graph.setNode(id, { width: STEP_WIDTH, height: STEP_HEIGHT });
  for (const { id, needs } of steps) for (const need of needs) if (known.has(need)) graph.setEdge(need, id);
  layout(graph);
  const places = new Map(steps.map(({ id }) => [id, cornerOf(graph.node(id))]));
  const lines = graph.edges().map(({ v, w }) => lineOf(v, w, places, graph.edge(v, w).points));
  return { places, lines };
}

const cornerOf = ({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number }): Place => ({
  x: Math.round(x - STEP_WIDTH / 2),
  y: Math.round(y - STEP_HEIGHT / 2),
});

function lineOf(from: string, to: string, places: ReadonlyMap<string, Place>, bends: readonly Place[] = []): Line {
  const [source, target] = [places.get(from) ?? ORIGIN, places.get(to) ?? ORIGIN];
  const start = { x: source.x + STEP_WIDTH, y: source.y + STEP_HEIGHT / 2 };
  const end = { x: target.x, y: target.y + STEP_HEIGHT / 2 };
  // The first and last bend are on the borders of the steps: the line starts and ends in their middles instead.
  const points = [start, ...bends.slice(1, -1).filter(({ x }) => x > start.x && x < end.x), end];
  return { id: lineId(from, to), from, to, path: pathOf(points), middle: middleOf(points) };
}

const ORIGIN: Place = { x: 0, y: 0 };

/** Level at every point, like a track through points. */
const pathOf = ([start = ORIGIN, ...rest]: readonly Place[]): string => {
  let before = start;
  let path = `M${round(start.x)} ${round(start.y)}`;
  for (const point of rest) {
    const half = (before.x + point.x) / 2;
    path += `C${round(half)} ${round(before.y)} ${round(half)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    before = point;
  }
  return path;
};

/** The point in the middle, or the middle between two of them. */
function middleOf(points: readonly Place[]): Place {
  const at = (points.length - 1) / 2;
  const [a = ORIGIN, b = a] = [points[Math.floor(at)], points[Math.ceil(at)]];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

const round = (value: number): number => Math.round(value * 10) / 10;
