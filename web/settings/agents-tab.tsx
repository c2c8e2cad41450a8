import { useEffect } from 'react';
import type { AgentDescription } from '../../src/protocol/http.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { AgentRow } from './agent-row.tsx';

/** Which agents this server can run, what is wrong with the others, and what each can do. */
export function AgentsTab() {
  const cockpit = useCockpit();
  const agents = useApp((state) => state.agents);
  const problem = useApp((state) => state.agentsProblem);
  useEffect(() => void cockpit.loadAgents(), [cockpit]);
  return (
    <section aria-label="Agents">
      <div className="section-head">
        <p>Every agent is a program of this server’s machine. Signalbox looks for it where its own variable says, then on the PATH.</p>
        <button type="button" className="button" onClick={() => void cockpit.loadAgents()}>
          Look again
        </button>
      </div>
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {agents === undefined && problem === undefined && <p className="quiet">Looking for agents on the server…</p>}
      <ul className="agent-list">
        {[...(agents ?? [])].sort(usableFirst).map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </ul>
    </section>
  );
}

const usableFirst = (a: AgentDescription, b: AgentDescription): number => Number(b.available) - Number(a.available);
