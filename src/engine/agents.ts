import type { Adapter } from '../agents/adapter.ts';
import type { AgentDescription } from '../protocol/http.ts';
import { agentCapabilities, lastTold } from './capabilities.ts';
import type { Locator } from './deps.ts';
import type { SessionBox } from './session-box.ts';

export interface AgentsHere {
  readonly adapters: Iterable<Adapter>;
  readonly locator: Locator;
  /** Every session there is. */
  readonly boxes: readonly Pick<SessionBox, 'state'>[];
  /** Ask every program for its version again. */
  readonly anew?: 'anew';
}

/** Every agent we can speak to, whether it is here, and if not what is wrong. */
export function describeAgents({ adapters, locator, boxes, anew }: AgentsHere): Promise<readonly AgentDescription[]> {
  return Promise.all(
    [...adapters].map(async (adapter) => {
      const { id, title, icon, verifiedWith } = adapter;
      const sessions = boxes.filter(({ state }) => state.born?.agent === id).length;
      const capabilities = agentCapabilities(adapter, boxes);
      const located = await locator.find(adapter, anew);
      const base = { id, title, icon, capabilities, capabilitiesBy: toldBy(adapter, boxes), verifiedWith: [...verifiedWith], sessions };
      return { ...base, ...located };
    }),
  );
}

function toldBy(adapter: Adapter, boxes: AgentsHere['boxes']): NonNullable<AgentDescription['capabilitiesBy']> {
  if (adapter.tellsCapabilities !== true) return 'known';
  return lastTold(adapter.id, boxes) === undefined ? 'assumed' : 'told';
}
