import { useEffect, useState } from 'react';
import type { AgentDescription } from '../../../../src/protocol/http.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { AgentRow } from './agent-row.tsx';
import { ResetPreferences } from './reset-preferences.tsx';

/** Which agents this server can run, why others can't, and what each supports. */
export function AgentsTab() {
  const cockpit = useCockpit();
  const agents = useApp((state) => state.agents);
  const problem = useApp((state) => state.agentsProblem);
  useEffect(() => void cockpit.loadAgents(), [cockpit]);
  return (
    <section aria-label="Agents">
      <div className="section-head">
        <p>Agents are programs on this machine, found via their environment variable or PATH.</p>
        <RescanButton />
      </div>
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      {agents === undefined && problem === undefined && <p className="quiet">Loading agents…</p>}
      <ul className="agent-list">
        {[...(agents ?? [])].sort(usableFirst).map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </ul>
      <ResetPreferences />
    </section>
  );
}

/** Checks every agent again, after one was installed or updated. */
function RescanButton() {
  const cockpit = useCockpit();
  const [isScanning, setScanning] = useState(false);
  const [hasScanned, setScanned] = useState(false);
  const rescan = async () => {
    setScanning(true);
    await cockpit.loadAgents('rescan');
    setScanning(false);
    setScanned(true);
  };
  return (
    <p className="look-again">
      <span role="status" className="quiet">
        {hasScanned && !isScanning ? 'Scanned just now' : ''}
      </span>
      <button type="button" className="button" disabled={isScanning} onClick={() => void rescan()}>
        {isScanning ? 'Scanning…' : 'Rescan'}
      </button>
    </p>
  );
}

const usableFirst = (a: AgentDescription, b: AgentDescription): number => Number(b.available) - Number(a.available);
