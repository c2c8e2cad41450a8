import type { ContextPoint } from '../../protocol/api/health.ts';

export const TIMELINE_POINTS = 60;

/** Adds a point. When there are too many, each pair of neighbors becomes one: the compaction if there is one, otherwise the higher. */
export function withPoint(points: readonly ContextPoint[], point: ContextPoint): readonly ContextPoint[] {
  const all = [...points, point];
  return all.length <= TIMELINE_POINTS ? all : halved(all);
}

function halved(points: readonly ContextPoint[]): readonly ContextPoint[] {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    if (index % 2 === 1) return [];
    return next === undefined ? [point] : [morePressing(point, next)];
  });
}

export function morePressing(a: ContextPoint, b: ContextPoint): ContextPoint {
  if ((a.compacted ?? false) !== (b.compacted ?? false)) return a.compacted ? a : b;
  return a.tokens > b.tokens ? a : b;
}
