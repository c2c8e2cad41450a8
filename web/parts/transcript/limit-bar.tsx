import { Check, Timer } from 'lucide-react';
import { limitText } from '../../../src/domain/limit-text.ts';
import { countdownText, momentText } from '../../base/text/format.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** The limit in force, when it resets, and whether the session resumes automatically after that. */
export default function LimitBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const limit = useApp((state) => state.sessions.get(sessionId)?.limit);
  const continuesAt = useApp((state) => state.sessions.get(sessionId)?.continuesAt);
  const isReached = limit !== undefined && limit.status !== 'allowed' && !limit.status.includes('warning');
  return (
    <section className={isReached ? 'limit-bar reached' : 'limit-bar'} aria-label="Limit">
      <Timer size={15} aria-hidden="true" />
      {limit !== undefined && (
        <span>
          {limitText(limit.kind, !isReached)}
          {limit.resetsAt !== undefined && <Countdown at={limit.resetsAt} over=", should have reset by now" before=", resets in " />}
        </span>
      )}
      {continuesAt !== undefined ? (
        <>
          <span>
            Resumes automatically at {momentText(continuesAt)}
            <Countdown at={continuesAt} over=", any moment now" before=", in " />
          </span>
          <button type="button" className="button" onClick={() => void cockpit.cancelAutomaticResume(sessionId)}>
            Cancel
          </button>
        </>
      ) : (
        isReached &&
        limit.resetsAt !== undefined && (
          <button type="button" className="button" onClick={() => void cockpit.resumeAutomatically(sessionId)}>
            Resume automatically
          </button>
        )
      )}
      {isReached && <AlwaysMenu sessionId={sessionId} />}
    </section>
  );
}

const SCOPES = { session: 'in this session', project: 'in this project', everywhere: 'everywhere' } as const;

/** Whether sessions resume automatically at every reset, and which. */
function AlwaysMenu({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const session = useApp((state) => state.sessions.get(sessionId));
  if (session === undefined) return null;
  const scopes = {
    session: { kind: 'session', sessionId: session.id },
    project: { kind: 'project', folder: session.cwd },
    everywhere: { kind: 'everywhere' },
  } as const;
  const now = session.continuesAtReset;
  const label = now === undefined ? 'Always…' : `Always ${SCOPES[now]}`;
  return (
    <PopupMenu label={label} className="button plain always" trigger={label}>
      {(['session', 'project', 'everywhere'] as const).map((kind) => (
        <button key={kind} type="button" aria-pressed={now === kind} onClick={() => void cockpit.preferAtReset(scopes[kind], 'on')}>
          {now === kind && <Check size={14} aria-hidden="true" />} Always {SCOPES[kind]}{' '}
          {kind === 'project' && <span className="quiet mono">{session.project}</span>}
        </button>
      ))}
      {now !== undefined && (
        <button type="button" onClick={() => void cockpit.preferAtReset(scopes[now], 'unset')}>
          Turn off {SCOPES[now]}
        </button>
      )}
    </PopupMenu>
  );
}

interface CountdownProps {
  readonly at: string;
  readonly before: string;
  readonly over: string;
}

function Countdown({ at, before, over }: CountdownProps) {
  const left = useApp((state) => Math.ceil((Date.parse(at) - state.now) / 1000));
  return (
    <time className="countdown" dateTime={at} title={new Date(at).toLocaleString()}>
      {left <= 0 ? over : `${before}${countdownText(left)}`}
    </time>
  );
}
