import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronLeft } from 'lucide-react';
import { Suspense } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { useAfterContent } from '../../base/browser/use-after-content.ts';
import { BypassSign } from '../../base/ui/bypass-sign.tsx';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { HealthMeter } from '../../parts/health/health-meter.tsx';
import { InterruptButton } from '../../parts/session-actions/interrupt-button.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { HeaderFacts } from './header-facts.tsx';
import { NavButton } from './nav/nav-button.tsx';
import { PastChip } from './past-chip.tsx';
import { PortLinks } from './port-links.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionSettings } from './session-settings.tsx';
import { SessionTitle } from './session-title.tsx';
import { WorktreeChip } from './worktree-chip.tsx';

const BranchMenu = lazily(() => import('./branch-menu.tsx'));

/** One line. On narrow screens the settings and minor facts fold behind a button. */
export function SessionHeader({ sessionId }: { readonly sessionId: string }) {
  const session = useAfterContent(useApp((state) => state.sessions.get(sessionId)));
  const agent = useApp((state) => state.agents?.find((known) => known.id === session?.agent)?.title);
  const isConnected = useApp((state) => state.phase.name === 'open');
  const isOpen = useApp((state) => state.expanded.get(FOLD) === true);
  if (session === undefined) return <header className="session-head" />;
  const lamp = lampOf(session);
  return (
    <header className={isOpen ? 'session-head open' : 'session-head'}>
      <Link to="/" className="icon-button back" aria-label="Back to the deck">
        <ChevronLeft size={20} aria-hidden="true" />
      </Link>
      <NavButton />
      <LampIcon shape={lamp.shape} />
      <SessionTitle sessionId={sessionId} title={session.title} />
      <span className="head-word" title={causeText(session)}>
        {isConnected ? lamp.word : `was ${lamp.word}`}
      </span>
      <span className="head-bypass">
        <BypassSign mode={session.permissionMode} />
      </span>
      <span className="chips settings">
        <span className="chip chip-agent">{agent ?? session.agent}</span>
        <PastChip sessionId={sessionId} />
        {session.worktree !== undefined && <WorktreeChip worktree={session.worktree} />}
        {session.ports !== undefined && <PortLinks ports={session.ports} />}
        {(session.past?.branches ?? 1) > 1 && (
          <Suspense>
            <BranchMenu sessionId={sessionId} />
          </Suspense>
        )}
        <SessionSettings sessionId={sessionId} />
      </span>
      <span className="head-health">
        <HealthMeter sessionId={sessionId} />
      </span>
      <HeaderFacts session={session} />
      <InterruptButton sessionId={sessionId} />
      <DetailsButton isOpen={isOpen} />
      <SessionMenu sessionId={sessionId} />
    </header>
  );
}

/** Why the session is in this state. Some causes are the names of events or commands, which mean nothing to a person. */
const causeText = ({ statusCause: { cause } }: Session): string | undefined => (/^[a-z]+\.[a-z]+$/.test(cause) ? undefined : cause);

const FOLD = 'session-head';

function DetailsButton({ isOpen }: { readonly isOpen: boolean }) {
  const cockpit = useCockpit();
  return (
    <button type="button" className="icon-button head-details" aria-label="Details" aria-expanded={isOpen} onClick={() => cockpit.setExpanded(FOLD, !isOpen)}>
      <ChevronDown size={18} aria-hidden="true" />
    </button>
  );
}
