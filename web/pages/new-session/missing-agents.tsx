import type { AgentDescription } from '../../../src/protocol/http.ts';

interface MissingAgentsProps {
  readonly agents: readonly AgentDescription[];
  /** No agent is installed: then the reasons are what a person needs to read. */
  readonly isAll: boolean;
}

/** Agents that can't be chosen take one line; opening it says what is wrong with each. */
export function MissingAgents({ agents, isAll }: MissingAgentsProps) {
  return (
    <details className="missing-agents" open={isAll}>
      <summary>Not installed: {agents.map(({ title }) => title).join(', ')}</summary>
      <dl>
        {agents.map(({ id, title, problem }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>{problem ?? 'Not installed on this machine.'}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
