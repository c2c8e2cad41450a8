import type { AgentDescription } from '../../src/protocol/http.ts';
import { useApp } from '../app/cockpit-context.ts';
import { missingText } from '../ui/missing-text.ts';

interface AgentChoiceProps {
  readonly chosen: string | undefined;
  readonly onChoose: (agent: string) => void;
}

export function AgentChoice({ chosen, onChoose }: AgentChoiceProps) {
  const agents = useApp((state) => state.agents);
  const problem = useApp((state) => state.agentsProblem);
  return (
    <fieldset className="agent-choice">
      <legend>Agent</legend>
      {problem !== undefined && <p className="form-problem">{problem}</p>}
      {agents === undefined && problem === undefined && <p className="quiet">Looking for agents on the server…</p>}
      {agents?.toSorted(usableFirst).map((agent) => (
        <label key={agent.id} className={agent.available ? 'agent-card' : 'agent-card unavailable'}>
          <input type="radio" name="agent" value={agent.id} checked={agent.id === chosen} disabled={!agent.available} onChange={() => onChoose(agent.id)} />
          <span className="agent-title">{agent.title}</span>
          <span className="agent-state">{stateOf(agent)}</span>
          {agent.id === chosen && <span className="agent-missing">{abilityText(agent)}</span>}
        </label>
      ))}
    </fieldset>
  );
}

const usableFirst = (one: AgentDescription, other: AgentDescription): number => Number(other.available) - Number(one.available);

function abilityText({ capabilities, capabilitiesBy }: AgentDescription): string {
  return capabilitiesBy === 'assumed' ? 'It will tell what it can do when it is first started.' : missingText(capabilities);
}

function stateOf(agent: AgentDescription): string {
  if (!agent.available) return agent.problem ?? 'not installed on the server';
  return agent.version ?? 'built in';
}
