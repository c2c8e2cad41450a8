import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useApp } from '../app/cockpit-context.ts';
import { HealthMeter } from '../health/health-meter.tsx';
import { lampOf } from '../ui/lamp.ts';
import { LampIcon } from '../ui/lamp-icon.tsx';
import { costText } from '../ui/words.ts';
import { BranchMenu } from './branch-menu.tsx';
import { InterruptButton } from './interrupt-button.tsx';
import { PastChip } from './past-chip.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionSettings } from './session-settings.tsx';
import { SessionTitle } from './session-title.tsx';

export function SessionHeader({ sessionId }: { readonly sessionId: string }) {
  const session = useApp((state) => state.sessions.get(sessionId));
  const agent = useApp((state) => state.agents?.find((known) => known.id === session?.agent)?.title);
  const isConnected = useApp((state) => state.phase.name === 'open');
  if (session === undefined) return <header className="session-head" />;
  const lamp = lampOf(session);
  return (
    <header className="session-head">
      <Link to="/" className="icon-button back" aria-label="All sessions">
        <ChevronLeft size={20} aria-hidden="true" />
      </Link>
      <LampIcon shape={lamp.shape} />
      <SessionTitle sessionId={sessionId} title={session.title} />
      <span className="head-word" title={session.statusCause.cause}>
        {isConnected ? lamp.word : `was ${lamp.word}`}
      </span>
      <span className="head-facts">
        <HealthMeter sessionId={sessionId} />
        {session.costUsd !== undefined && <span className="head-cost">{costText(session.costUsd)}</span>}
      </span>
      <InterruptButton sessionId={sessionId} />
      <SessionMenu sessionId={sessionId} />
      <span className="chips settings">
        <span className="chip chip-agent">{agent ?? session.agent}</span>
        <PastChip sessionId={sessionId} />
        <BranchMenu sessionId={sessionId} />
        <SessionSettings sessionId={sessionId} />
      </span>
    </header>
  );
}
