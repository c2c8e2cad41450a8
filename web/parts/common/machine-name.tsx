import type { Session } from '../../../src/protocol/session.ts';
import { clockText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';
import type { AppState } from '../../store/state/app-state.ts';

/** The machine of a session, if it is not the one behind this page. */
export function machineOf({ machines }: AppState, session: Pick<Session, 'node' | 'hostname'> | undefined): string | undefined {
  const own = machines?.nodes.find(({ state }) => state === 'here');
  return session === undefined || own === undefined || own.id === session.node ? undefined : session.hostname;
}

/** Where a session runs, in rows and headers. Nothing for this machine's own sessions. */
export function MachineName({ session }: { readonly session: Session }) {
  const name = useApp((state) => machineOf(state, session));
  if (name === undefined) return null;
  return (
    <span
      className="machine-name"
      title={session.lastKnown === undefined ? `Runs on ${name}` : `${name} is offline. Last known at ${clockText(session.lastKnown.at)}`}
    >
      on {name}
      {session.lastKnown !== undefined && ', offline'}
    </span>
  );
}
