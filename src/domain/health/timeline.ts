import type { ContextPoint } from '../../protocol/api/health.ts';

export const TIMELINE_POINTS = 60;

/** One point more. When there are too many, neighbours become one: the higher, and a compaction before any other. */
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
