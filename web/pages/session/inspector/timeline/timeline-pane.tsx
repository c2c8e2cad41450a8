import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { useJump } from '../jump-link.tsx';
import './timeline.css';
import { countText, durationText } from '../../../../base/text/format.ts';
import { MomentList } from './moment-list.tsx';
import { TimeSlider } from './time-slider.tsx';
import { TimelinePlot } from './timeline-plot.tsx';
import { openTimeline } from './timeline-store.ts';

/** The session over time. A click goes to that event. */
export default function TimelinePane() {
  const { api, sessionId } = useInspector();
  const [opened] = useState(() => openTimeline(api));
  const { timeline, problem } = useStore(opened.store);
  const lastSeq = useApp((state) => state.sessions.get(sessionId)?.lastSeq);
  const jump = useJump();
  const [highlighted, setHighlighted] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the session has new events
  useEffect(() => void opened.refresh(), [opened, lastSeq]);
  return (
    <section className="timeline" aria-label="Timeline">
      <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
      {timeline === undefined && problem === undefined && <p className="side-words">Loading…</p>}
      {timeline !== undefined && (
        <>
          <p className="timeline-sum">{sumOf(timeline)}</p>
          <TimelinePlot timeline={timeline} highlighted={highlighted} onJump={jump} />
          <TimeSlider />
          <MomentList timeline={timeline} onHighlight={setHighlighted} />
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
  if (waits.length > 0) facts.push(`${countText(count(waits), 'wait')}, ${durationText(lasting(waits))} total`);
  if (compactions.length > 0) facts.push(countText(compactions.length, 'compaction'));
  return facts.join(' · ');
}
