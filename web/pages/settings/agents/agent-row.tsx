import { Link } from '@tanstack/react-router';
import type { AgentDescription, Capabilities } from '../../../../src/protocol/http.ts';
import { countText } from '../../../base/text/format.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';

/** One agent: whether and where it was found, its version, interpreter and features. */
export function AgentRow({ agent }: { readonly agent: AgentDescription }) {
  const { supported, unsupported } = featuresOf(agent.capabilities);
  return (
    <li className="agent-row" data-agent={agent.id}>
      <p className="agent-name">
        <LampIcon shape={agent.available ? 'ring' : 'dotted'} />
        <strong>{agent.title}</strong>
        <span className="quiet">{agent.available ? (agent.version ?? 'Built in') : 'Not installed'}</span>
        <Link to="/sessions" search={{ agent: agent.id }} className="text-button agent-sessions">
          {countText(agent.sessions, 'session')}
        </Link>
      </p>
      {agent.problem !== undefined && <p className="agent-note">{agent.problem}</p>}
      {agent.path !== undefined && (
        <p className="rule-facts">
          <code>{agent.path}</code>
          {agent.foundBy !== undefined && ` found via ${agent.foundBy}`}
        </p>
      )}
      <Interpreter agent={agent} />
      {agent.version !== undefined && agent.verifiedWith.length > 0 && <p className="rule-facts">Tested with {agent.verifiedWith.join(', ')}.</p>}
      <details className="agent-can">
        <summary>Features</summary>
        <p className="quiet">{SOURCES[agent.capabilitiesBy ?? 'known']}</p>
        <p>Supported: {supported.join(', ')}.</p>
        {unsupported.length > 0 && <p className="quiet">Not supported: {unsupported.join(', ')}.</p>}
      </details>
    </li>
  );
}

/** Only shown when Signalbox runs the agent with another interpreter than its default. */
function Interpreter({ agent: { interpreter } }: { readonly agent: AgentDescription }) {
  if (interpreter === undefined) return null;
  return (
    <p className="rule-facts">
      Runs with <code>{interpreter.path}</code>
      {interpreter.version !== undefined && ` ${interpreter.version}`} found via {interpreter.foundBy}
    </p>
  );
}

/** Where the list of features comes from. */
const SOURCES: Readonly<Record<NonNullable<AgentDescription['capabilitiesBy']>, string>> = {
  known: 'Verified by testing.',
  assumed: 'Assumed. The agent reports its features when it first starts.',
  told: 'Reported by the agent in its latest session.',
};

const FEATURES: Readonly<Partial<Record<keyof Capabilities, string>>> = {
  streaming: 'streaming',
  permissions: 'asking before it acts',
  resume: 'resuming',
  fork: 'forking',
  forkAt: 'forking at a message',
  interrupt: 'interrupting',
  steer: 'messages mid-turn',
  images: 'images',
  thinking: 'showing its thinking',
  cost: 'cost',
  subagents: 'subagents',
  setModel: 'switching models',
  setThinking: 'thinking level',
  rewind: 'its own file backup',
};

/** What an agent supports, and what it doesn't. */
function featuresOf(capabilities: Capabilities): { readonly supported: readonly string[]; readonly unsupported: readonly string[] } {
  const has = (name: string): boolean => Object.entries(capabilities).some(([key, value]) => key === name && value === true);
  const features = Object.entries(FEATURES);
  return {
    supported: features.filter(([name]) => has(name)).map(([, title]) => title),
    unsupported: features.filter(([name]) => !has(name)).map(([, title]) => title),
  };
}
