import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Finding, SessionHealth } from '../../../src/protocol/api/health.ts';
import { countText, momentText } from '../../base/words/words.ts';
import { createHealthApi } from '../../client/http/health-api.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { ContextLine } from './context-line.tsx';
import { openHealth } from './health-store.ts';
import { causeText, fullText, pressureText } from './health-words.ts';
import { Remedies } from './remedies.tsx';

interface HealthPanelProps {
  readonly sessionId: string;
  readonly onHandOver: () => void;
}

/** How a session does, why, and what can be done about it. */
export default function HealthPanel({ sessionId, onHandOver }: HealthPanelProps) {
  const [opened] = useState(() => openHealth(createHealthApi(document.baseURI)));
  const lastSeq = useApp((state) => state.sessions.get(sessionId)?.lastSeq);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that went on is asked about again
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
      <p className="health-head">{isKnown ? `Context: ${pressureText(pressure)}` : 'How full its context is, the agent has not told.'}</p>
      {timeline.length > 0 && <ContextLine sessionId={sessionId} timeline={timeline} window={windowTokens} />}
      {isKnown && (
        <p className="health-figures">
          {now === undefined ? 'How full it is now is not known' : `Now ${fullText(now, windowTokens)}`}
          {peakTokens > 0 && `, at most ${fullText(peakTokens, windowTokens)}`}
          {compactionCount > 0 && `, ${countText(compactionCount, 'compaction')}`}.
        </p>
      )}
      {cause !== undefined && (
        <p>
          {sentence(causeText(cause))} {causeSeq !== undefined && <Place sessionId={sessionId} seq={causeSeq} />}
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

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

function FindingLine({ sessionId, finding }: { readonly sessionId: string; readonly finding: Finding }) {
  return (
    <li className={finding.active ? 'finding' : 'finding over'}>
      {finding.text} {!finding.active && `(over; ${momentText(finding.at)})`} <Place sessionId={sessionId} seq={finding.seq} />
    </li>
  );
}

function Place({ sessionId, seq }: { readonly sessionId: string; readonly seq: number }) {
  return (
    <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="text-button">
      Show
    </Link>
  );
}
