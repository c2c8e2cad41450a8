import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Finding, SessionHealth } from '../../../src/protocol/api/health.ts';
import { countText, momentText, tokensText } from '../../base/text/format.ts';
import { createHealthApi } from '../../client/http/health-api.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { ContextLine } from './context-line.tsx';
import { openHealth } from './health-store.ts';
import { causeText, pressureText, tokensOfWindowText } from './health-text.ts';
import { Remedies } from './remedies.tsx';

interface HealthPanelProps {
  readonly sessionId: string;
  readonly onHandOver: () => void;
}

/** A session's health, the reasons, and what you can do about it. */
export default function HealthPanel({ sessionId, onHandOver }: HealthPanelProps) {
  const [opened] = useState(() => openHealth(createHealthApi(document.baseURI)));
  const lastSeq = useApp((state) => state.sessions.get(sessionId)?.lastSeq);
  // biome-ignore lint/correctness/useExhaustiveDependencies: load again when the session has new events
  useEffect(() => void opened.load(sessionId), [opened, sessionId, lastSeq]);
  const { health, problem } = useStore(opened.store);
  return (
    <div className="health-panel">
      {problem !== undefined && <p className="form-problem">{problem}</p>}
      {health !== undefined && <Facts sessionId={sessionId} health={health} />}
      <Remedies sessionId={sessionId} compactCommand={health?.compactCommand} onHandOver={onHandOver} />
    </div>
  );
}

function Facts({ sessionId, health }: { readonly sessionId: string; readonly health: SessionHealth }) {
  const { pressure, cause, causeSeq, now, peakTokens, windowTokens, compactionCount, timeline, findings } = health;
  const isKnown = peakTokens > 0 || compactionCount > 0;
  return (
    <>
      <p className="health-head">{isKnown ? `Context: ${pressureText(pressure)}` : 'The agent doesn’t report how full its context is.'}</p>
      {timeline.length > 0 && <ContextLine sessionId={sessionId} timeline={timeline} window={windowTokens} />}
      {isKnown && (
        <p className="health-figures">
          {now === undefined ? 'Current use unknown' : `${tokensOfWindowText(now, windowTokens)} used`}
          {peakTokens > 0 && ` (peak ${tokensText(peakTokens)})`}
          {compactionCount > 0 && `, ${countText(compactionCount, 'compaction')}`}
          {health.answersSinceCompaction !== undefined && `, ${countText(health.answersSinceCompaction, 'answer')} since the last one`}.
        </p>
      )}
      {cause !== undefined && (
        <p>
          {sentence(causeText(cause))} {causeSeq !== undefined && <ShowLink sessionId={sessionId} seq={causeSeq} />}
        </p>
      )}
      <ul>
        {findings.map((finding) => (
          <FindingLine key={`${finding.kind} ${finding.seq}`} sessionId={sessionId} finding={finding} />
        ))}
      </ul>
    </>
  );
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function FindingLine({ sessionId, finding }: { readonly sessionId: string; readonly finding: Finding }) {
  return (
    <li className={finding.active ? 'finding' : 'finding over'}>
      {finding.text} {!finding.active && `(resolved; ${momentText(finding.at)})`} <ShowLink sessionId={sessionId} seq={finding.seq} />
    </li>
  );
}

function ShowLink({ sessionId, seq }: { readonly sessionId: string; readonly seq: number }) {
  return (
    <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="text-button">
      Show
    </Link>
  );
}
