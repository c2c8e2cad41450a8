import type { Adapter } from '../agents/adapter.ts';
import type { AgentId } from '../protocol/ids.ts';
import type { Capabilities, ToldCapabilities } from '../protocol/session.ts';
import type { SessionBox } from './loop/session-actor.ts';

export type Boxes = Iterable<Pick<SessionBox, 'state'>>;

/** What the agent of this session can do: as it said itself, as it said last in another session, or as is known of it. */
export const capabilitiesOf = ({ adapter, state, world }: SessionBox): Capabilities => ({
  ...agentCapabilities(adapter, world.boxes.values()),
  ...state.can,
});

export const agentCapabilities = (adapter: Adapter, boxes: Boxes): Capabilities => ({ ...adapter.capabilities, ...lastTold(adapter.id, boxes) });

/** What an agent said of itself in the session that moved last. */
export function lastTold(agent: AgentId, boxes: Boxes): ToldCapabilities | undefined {
  const telling = [...boxes].map(({ state }) => state).filter(({ born, can, deleted }) => !deleted && can !== undefined && born?.agent === agent);
  return telling.reduce<(typeof telling)[number] | undefined>((last, one) => (last === undefined || one.updatedAt > last.updatedAt ? one : last), undefined)
    ?.can;
}
