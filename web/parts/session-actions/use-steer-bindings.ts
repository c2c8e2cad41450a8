import { useNavigate } from '@tanstack/react-router';
import type { Bindings } from '../../base/actions/actions.ts';
import { memoryText } from '../../base/words/words.ts';
import { createHealthApi } from '../../client/http/health-api.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { useCapabilities } from '../common/use-capabilities.ts';

const ALIVE = new Set(['starting', 'busy', 'waiting', 'idle']);

/** What steers a session: fork, sleep, wake, stop, compact, take over. */
export function useSteerBindings(sessionId: string): Bindings {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const session = useApp((state) => state.sessions.get(sessionId));
  const can = useCapabilities(sessionId);
  if (session === undefined) return {};
  const isAlive = ALIVE.has(session.status);
  const isElsewhere = session.control === 'elsewhere';
  const fork = async () => {
    const made = await cockpit.fork(sessionId);
    if (made !== undefined) await navigate({ to: '/s/$sessionId', params: { sessionId: made.id } });
  };
  const compact = async () => {
    const { compactCommand } = await createHealthApi(document.baseURI).health(sessionId);
    if (compactCommand === undefined) cockpit.tell('info', 'This agent cannot be asked to compact its context. Hand over to a fresh session instead.');
    else await cockpit.sendInput(sessionId, compactCommand);
  };
  return {
    'session.fork': can?.fork ? { run: () => void fork(), hint: 'a copy goes on from the end; this one stays' } : undefined,
    'session.compact': isElsewhere
      ? undefined
      : { run: () => void compact().catch((error: Error) => cockpit.tell('error', error.message)), hint: 'the agent shortens what it remembers' },
    'session.sleep':
      session.status === 'idle'
        ? {
            run: () => void cockpit.sleep(sessionId),
            hint: session.rssBytes === undefined ? 'gives its memory back' : `gives ${memoryText(session.rssBytes)} back`,
          }
        : undefined,
    'session.wake': isAlive || isElsewhere ? undefined : { run: () => void cockpit.wake(sessionId), hint: 'starts its process' },
    'session.stop': isAlive ? { run: () => void cockpit.stop(sessionId), hint: 'your next message wakes it' } : undefined,
    'session.takeover': isElsewhere ? () => void cockpit.takeOver(sessionId) : undefined,
  };
}
