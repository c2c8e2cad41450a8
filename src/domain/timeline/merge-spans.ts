import type { TimelinePoint, TimelineTool, TimelineTurn, TimelineWait } from '../../protocol/api/timeline.ts';

/** Merges two neighbors; undefined if they must stay separate. */
type Join<T> = (one: T, next: T) => T | undefined;

/** At most `most`, if possible: neighbors are merged pair by pair, however far apart they are, so that no period is favored. */
export function thinned<T>(all: readonly T[], most: number, join: Join<T>): T[] {
  let spans = [...all];
  while (spans.length > most) {
    const fewer = halved(spans, join);
    if (fewer.length === spans.length) return spans;
    spans = fewer;
  }
  return spans;
}

function halved<T>(spans: readonly T[], join: Join<T>): T[] {
  const fewer: T[] = [];
  for (let at = 0; at < spans.length; at++) {
    const [one, next] = [spans[at], spans[at + 1]];
    const joined = one === undefined || next === undefined ? undefined : join(one, next);
    if (joined !== undefined) at++;
    if (joined !== undefined || one !== undefined) fewer.push((joined ?? one) as T);
  }
  return fewer;
}

const ended = (one: { readonly endMs?: number | undefined }, next: { readonly endMs?: number | undefined }): number | undefined =>
  one.endMs === undefined || next.endMs === undefined ? undefined : Math.max(one.endMs, next.endMs);

/** An open one stays separate: it will end, and a person is waiting for it. */
export function joinTurns(one: TimelineTurn, next: TimelineTurn): TimelineTurn | undefined {
  const endMs = ended(one, next);
  if (endMs === undefined) return undefined;
  const worse = WORST_FIRST.map((worst) => [one, next].find(({ outcome }) => outcome === worst)).find((turn) => turn !== undefined) ?? one;
  return {
    ...one,
    endMs,
    lastSeq: next.lastSeq,
    count: one.count + next.count,
    outcome: worse.outcome,
    tools: one.tools + next.tools,
    ...(sumOf(one.workMs, next.workMs) !== undefined && { workMs: sumOf(one.workMs, next.workMs) }),
    ...(sumOf(one.outputTokens, next.outputTokens) !== undefined && { outputTokens: sumOf(one.outputTokens, next.outputTokens) }),
    ...(sumOf(one.costUsd, next.costUsd) !== undefined && { costUsd: sumOf(one.costUsd, next.costUsd) }),
  };
}

const WORST_FIRST = ['crashed', 'failed', 'interrupted'] as const;

const sumOf = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0));

export function joinTools(one: TimelineTool, next: TimelineTool): TimelineTool | undefined {
  const endMs = ended(one, next);
  if (endMs === undefined) return undefined;
  const shown = next.failed && !one.failed ? next : one;
  return { ...shown, seq: shown.seq, atMs: one.atMs, endMs, count: one.count + next.count, failed: one.failed || next.failed };
}

export function joinWaits(one: TimelineWait, next: TimelineWait): TimelineWait | undefined {
  const endMs = ended(one, next);
  return endMs === undefined ? undefined : { ...one, endMs, count: one.count + next.count };
}

/** The higher of the two, because that one shows the pressure. */
export const joinPoints = (one: TimelinePoint, next: TimelinePoint): TimelinePoint => (next.tokens > one.tokens ? { ...next, atMs: one.atMs } : one);
