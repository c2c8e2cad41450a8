import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useSides } from '../inspector-context.ts';
import { useJump } from '../jump-link.tsx';
import './timeline.css';
import { countText, durationText } from '../../../../base/words/words.ts';
import { MomentList } from './moment-list.tsx';
import { TimelinePlot } from './timeline-plot.tsx';
import { openTimeline } from './timeline-store.ts';

/** The session over time; a click goes to that moment. */
export default function TimelinePane() {
  const { api, sessionId } = useSides();
  const [opened] = useState(() => openTimeline(api));
  const { timeline, problem } = useStore(opened.store);
  const lastSeq = useApp((state) => state.sessions.get(sessionId)?.lastSeq);
  const jump = useJump();
  const [lit, setLit] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that went on is asked about again
  useEffect(() => void opened.refresh(), [opened, lastSeq]);
  return (
    <section className="timeline" aria-label="Timeline">
      <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
      {timeline === undefined && problem === undefined && <p className="side-words">Reading the session…</p>}
      {timeline !== undefined && (
        <>
          <p className="timeline-sum">{sumOf(timeline)}</p>
          <TimelinePlot timeline={timeline} lit={lit} onJump={jump} />
          <MomentList timeline={timeline} onLight={setLit} />
        </>
      )}
    </section>
  );
}

function sumOf({ turns, tools, waits, compactions }: SessionTimeline): string {
  const count = (spans: readonly { readonly count: number }[]): number => spans.reduce((sum, one) => sum + one.count, 0);
  const lasting = (spans: readonly { readonly atMs: number; readonly endMs?: number | undefined }[]): number =>
    spans.reduce((sum, { atMs, endMs = atMs }) => sum + endMs - atMs, 0);
  const facts = [`${countText(count(turns), 'turn')} in ${durationText(lasting(turns))}`, countText(count(tools), 'call')];
  if (waits.length > 0) facts.push(`${countText(count(waits), 'wait')} of ${durationText(lasting(waits))} in all`);
  if (compactions.length > 0) facts.push(countText(compactions.length, 'compaction'));
  return facts.join(' · ');
}
