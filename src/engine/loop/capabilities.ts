import type { Adapter } from '../../agents/port/adapter.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { Capabilities, ReportedCapabilities } from '../../protocol/session.ts';
import type { SessionActor } from './session-actor.ts';

export type SessionStates = Iterable<Pick<SessionActor, 'state'>>;

/** What this session's agent can do: what it reported here, otherwise what it last reported in another session, otherwise the adapter's defaults. */
export const capabilitiesOf = ({ adapter, state, context }: SessionActor): Capabilities => ({
  ...agentCapabilities(adapter, context.sessions.values()),
  ...state.can,
});

export const agentCapabilities = (adapter: Adapter, sessions: SessionStates): Capabilities => ({
  ...adapter.capabilities,
  ...lastReported(adapter.id, sessions),
});

/** What an agent reported in its most recently updated session. */
export function lastReported(agent: AgentId, sessions: SessionStates): ReportedCapabilities | undefined {
  const reporting = [...sessions].map(({ state }) => state).filter(({ born, can, deleted }) => !deleted && can !== undefined && born?.agent === agent);
  return reporting.reduce<(typeof reporting)[number] | undefined>((last, one) => (last === undefined || one.updatedAt > last.updatedAt ? one : last), undefined)
    ?.can;
}
