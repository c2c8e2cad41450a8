import { useNavigate } from '@tanstack/react-router';
import type { Bindings } from '../../base/actions/actions.ts';
import { memoryText } from '../../base/text/format.ts';
import { createHealthApi } from '../../client/http/health-api.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';

/** What steers a session: fork, sleep, wake, stop, compact, take over. */
export function useSteerBindings(sessionId: string): Bindings {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const session = useApp((state) => state.sessions.get(sessionId));
  const can = useCapabilities(sessionId);
  if (session === undefined) return {};
  const isAlive = session.control === 'here';
  const isOpenElsewhere = session.control === 'elsewhere';
  const fork = async () => {
    const made = await cockpit.fork(sessionId);
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  const compact = async () => {
    const { compactCommand } = await createHealthApi(document.baseURI).health(sessionId);
    if (compactCommand === undefined)
      cockpit.showNotice('info', 'This agent can’t compact its context on request. Start a new session with a summary instead.');
    else await cockpit.sendInput(sessionId, compactCommand);
  };
  return {
    'session.fork': can?.fork ? { run: () => void fork(), hint: 'continue in a copy, keep this one' } : undefined,
    'session.compact': isOpenElsewhere
      ? undefined
      : { run: () => void compact().catch((error: Error) => cockpit.showNotice('error', error.message)), hint: 'the agent summarizes its context' },
    'session.resume-queue': session.queuePaused
      ? { run: () => void cockpit.changeQueue(sessionId, 'resume'), hint: 'continues with what is queued' }
      : undefined,
    'session.pause-queue':
      session.queuePaused || !session.queue.some(({ state }) => state === 'accepted')
        ? undefined
        : { run: () => void cockpit.changeQueue(sessionId, 'pause'), hint: 'holds back what is queued' },
    'session.sleep':
      isAlive && (session.status === 'idle' || session.status === 'failed')
        ? {
            run: () => void cockpit.sleep(sessionId),
            hint: session.rssBytes === undefined ? 'frees its memory' : `frees ${memoryText(session.rssBytes)}`,
          }
        : undefined,
    'session.wake': isAlive || isOpenElsewhere ? undefined : { run: () => void cockpit.wake(sessionId), hint: 'starts the agent' },
    'session.stop': isAlive ? { run: () => void cockpit.stop(sessionId), hint: 'your next message wakes the agent' } : undefined,
    'session.takeover': isOpenElsewhere ? () => void cockpit.takeOver(sessionId) : undefined,
  };
}
