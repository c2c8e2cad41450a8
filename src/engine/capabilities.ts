import type { Adapter } from '../agents/adapter.ts';
import type { AgentId } from '../protocol/ids.ts';
import type { Capabilities, ReportedCapabilities } from '../protocol/session.ts';
import type { SessionActor } from './loop/session-actor.ts';

export type SessionStates = Iterable<Pick<SessionActor, 'state'>>;

/** What the agent of this session can do: reported by itself, else last reported in another session, else the adapter's defaults. */
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
  const telling = [...sessions].map(({ state }) => state).filter(({ born, can, deleted }) => !deleted && can !== undefined && born?.agent === agent);
  return telling.reduce<(typeof telling)[number] | undefined>((last, one) => (last === undefined || one.updatedAt > last.updatedAt ? one : last), undefined)
    ?.can;
}
