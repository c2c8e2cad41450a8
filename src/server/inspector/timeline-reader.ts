import { Timeline } from '../../domain/timeline/fold.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { SessionTimeline } from '../../protocol/api/timeline.ts';
import type { Session } from '../../protocol/session.ts';
import { FoldReader, type InspectorSources } from './fold-reader.ts';

export interface TimelineReader {
  read(from: InspectorSources, session: Session): Promise<SessionTimeline>;
}

export function createTimelineReader(): TimelineReader {
  const reader = new FoldReader<Timeline>({ make: () => new Timeline() });
  return {
    read: async (from, session) => {
      const timeline = await reader.read(from, session, (fold) => fold.answer());
      const health = session.past === undefined ? undefined : await from.sessionIndex.health(session.id);
      return health === undefined ? timeline : withRecordContext(timeline, health);
    },
  };
}

/** The events of a record don't include context use; health has it, so it fills that part. */
function withRecordContext(timeline: SessionTimeline, { timeline: points, windowTokens }: SessionHealth): SessionTimeline {
  const firstReported = timeline.context[0]?.seq ?? Number.POSITIVE_INFINITY;
  const [from, to] = [Date.parse(timeline.from), Date.parse(timeline.to)];
  const known = points.filter(({ seq }) => seq < firstReported).map(({ seq, at, tokens }) => ({ seq, atMs: clamped(Date.parse(at), from, to) - from, tokens }));
  return { ...timeline, context: [...known, ...timeline.context], ...(windowTokens !== undefined && { windowTokens }) };
}

const clamped = (at: number, from: number, to: number): number => Math.min(Math.max(Number.isNaN(at) ? from : at, from), to);
