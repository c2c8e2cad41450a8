import type { PastAgentName, SessionIndex } from '../../index/session-index.ts';
import type { AgentDescription } from '../../protocol/http.ts';
import type { Capabilities } from '../../protocol/session.ts';

const NOTHING: Capabilities = {
  streaming: false,
  permissions: false,
  resume: false,
  fork: false,
  interrupt: false,
  steer: false,
  images: false,
  thinking: false,
  cost: false,
  subagents: false,
  modes: [],
  setModel: false,
  setThinking: false,
  forkAt: false,
  rewind: false,
  editInput: false,
  tools: 'none',
};

/** Agents that can run here and agents whose records are only read, each with the number of its live and past sessions. */
export async function allAgents(
  runnable: readonly AgentDescription[],
  sessionIndex: Pick<SessionIndex, 'agents' | 'counts'>,
): Promise<readonly AgentDescription[]> {
  const counts = await sessionIndex.counts();
  const others = sessionIndex.agents.filter(({ id }) => !runnable.some((agent) => agent.id === id)).map(readOnly);
  return [...runnable, ...others].map((agent) => ({ ...agent, sessions: Math.max(agent.sessions, counts[agent.id] ?? 0) }));
}

const readOnly = ({ id, title, icon }: PastAgentName): AgentDescription => ({
  id,
  title,
  icon,
  available: false,
  problem: 'You can read and search its past sessions, but this version of Signalbox can’t run it.',
  verifiedWith: [],
  capabilities: NOTHING,
  sessions: 0,
});
