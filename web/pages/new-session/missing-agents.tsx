import type { AgentDescription } from '../../../src/protocol/http.ts';

interface MissingAgentsProps {
  readonly agents: readonly AgentDescription[];
  /** There is no other agent: then why not is what a person needs to read. */
  readonly isAll: boolean;
}

/** Agents that cannot be chosen take one line, and say on demand what is wrong with them. */
export function MissingAgents({ agents, isAll }: MissingAgentsProps) {
  return (
    <details className="missing-agents" open={isAll}>
      <summary>Not here: {agents.map(({ title }) => title).join(', ')}</summary>
      <dl>
        {agents.map(({ id, title, problem }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>{problem ?? 'It is not installed on the server.'}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
