import { useEffect, useState } from 'react';
import type { AgentDescription } from '../../../../src/protocol/http.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
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
        <LookAgain />
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

/** After something was installed or updated: every program is asked anew, which takes a moment. */
function LookAgain() {
  const cockpit = useCockpit();
  const [isLooking, setLooking] = useState(false);
  const [hasLooked, setLooked] = useState(false);
  const look = async () => {
    setLooking(true);
    await cockpit.loadAgents('anew');
    setLooking(false);
    setLooked(true);
  };
  return (
    <p className="look-again">
      <span role="status" className="quiet">
        {hasLooked && !isLooking ? 'Looked just now' : ''}
      </span>
      <button type="button" className="button" disabled={isLooking} onClick={() => void look()}>
        {isLooking ? 'Looking…' : 'Look again'}
      </button>
    </p>
  );
}

const usableFirst = (a: AgentDescription, b: AgentDescription): number => Number(b.available) - Number(a.available);
