import type { Adapter } from '../agents/adapter.ts';
import type { AgentDescription } from '../protocol/http.ts';
import type { Locator } from './deps.ts';

export interface AgentsHere {
  readonly adapters: Iterable<Adapter>;
  readonly locator: Locator;
  /** The agent of every session there is. */
  readonly agentOfSessions: readonly (string | undefined)[];
  /** Ask every program for its version again. */
  readonly anew?: 'anew';
}

/** Every agent we can speak to, whether it is here, and if not what is wrong. */
export function describeAgents({ adapters, locator, agentOfSessions, anew }: AgentsHere): Promise<readonly AgentDescription[]> {
  return Promise.all(
    [...adapters].map(async (adapter) => {
      const { id, title, icon, capabilities, verifiedWith } = adapter;
      const sessions = agentOfSessions.filter((agent) => agent === id).length;
      const located = await locator.find(adapter, anew);
      const base = { id, title, icon, capabilities, verifiedWith: [...verifiedWith], sessions };
      return { ...base, ...located };
    }),
  );
}
