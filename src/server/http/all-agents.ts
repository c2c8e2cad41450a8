import type { Library, PastAgentName } from '../../index/session-index.ts';
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
};

/** Agents that can be run here, and those of which only the records are read; each with all its sessions, live and past. */
export async function allAgents(runnable: readonly AgentDescription[], library: Pick<Library, 'agents' | 'counts'>): Promise<readonly AgentDescription[]> {
  const counts = await library.counts();
  const others = library.agents.filter(({ id }) => !runnable.some((agent) => agent.id === id)).map(readOnly);
  return [...runnable, ...others].map((agent) => ({ ...agent, sessions: Math.max(agent.sessions, counts[agent.id] ?? 0) }));
}

const readOnly = ({ id, title, icon }: PastAgentName): AgentDescription => ({
  id,
  title,
  icon,
  available: false,
  problem: 'Its past sessions are listed, searched and shown; this version of Signalbox cannot run it.',
  verifiedWith: [],
  capabilities: NOTHING,
  sessions: 0,
});
