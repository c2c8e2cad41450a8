import { useEffect } from 'react';
import type { AgentDescription } from '../../../src/protocol/http.ts';
import { missingText } from '../../base/text/missing-text.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { MissingAgents } from './missing-agents.tsx';

interface AgentChoiceProps {
  readonly chosen: string | undefined;
  /** Another machine, whose agents are offered. */
  readonly node?: string | undefined;
  readonly onChoose: (agent: string) => void;
}

export function AgentChoice({ chosen, node, onChoose }: AgentChoiceProps) {
  const cockpit = useCockpit();
  const agents = useApp((state) => (node === undefined ? state.agents : state.agentsThere?.node === node ? state.agentsThere.agents : undefined));
  useEffect(() => void (node !== undefined && cockpit.loadAgentsThere(node)), [cockpit, node]);
  const problem = useApp((state) => state.agentsProblem);
  const missing = agents?.filter(({ available }) => !available) ?? [];
  return (
    <fieldset className="agent-choice">
      <legend>Agent</legend>
      {problem !== undefined && <p className="form-problem">{problem}</p>}
      {agents === undefined && problem === undefined && <p className="quiet">Loading agents…</p>}
      {agents
        ?.filter(({ available }) => available)
        .map((agent) => (
          <label key={agent.id} className="agent-card">
            <input type="radio" name="agent" value={agent.id} checked={agent.id === chosen} onChange={() => onChoose(agent.id)} />
            <span className="agent-title">{agent.title}</span>
            <span className="agent-state">{agent.version ?? 'Built in'}</span>
            {agent.id === chosen && <span className="agent-missing">{abilityText(agent)}</span>}
          </label>
        ))}
      {missing.length > 0 && <MissingAgents agents={missing} isAll={missing.length === agents?.length} />}
    </fieldset>
  );
}

function abilityText({ capabilities, capabilitiesBy }: AgentDescription): string {
  return capabilitiesBy === 'assumed' ? 'Features are detected when it first starts.' : missingText(capabilities);
}
