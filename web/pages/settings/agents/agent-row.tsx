import { Link } from '@tanstack/react-router';
import type { AgentDescription } from '../../../../src/protocol/http.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { countText } from '../../../base/words/words.ts';
import { abilitiesOf } from './abilities.ts';

/** One agent: found or not, where, which version, what runs it, and what it can do. */
export function AgentRow({ agent }: { readonly agent: AgentDescription }) {
  const { can, cannot } = abilitiesOf(agent.capabilities);
  return (
    <li className="agent-row" data-agent={agent.id}>
      <p className="agent-name">
        <LampIcon shape={agent.available ? 'ring' : 'dotted'} />
        <strong>{agent.title}</strong>
        <span className="quiet">{agent.available ? (agent.version ?? 'built in') : 'cannot be used'}</span>
        <Link to="/sessions" search={{ agent: agent.id }} className="text-button agent-sessions">
          {countText(agent.sessions, 'session')}
        </Link>
      </p>
      {agent.problem !== undefined && <p className="agent-note">{agent.problem}</p>}
      {agent.path !== undefined && (
        <p className="rule-facts">
          <code>{agent.path}</code>
          {agent.foundBy !== undefined && ` found by ${agent.foundBy}`}
        </p>
      )}
      <Interpreter agent={agent} />
      {agent.version !== undefined && agent.verifiedWith.length > 0 && <p className="rule-facts">Tried with {agent.verifiedWith.join(', ')}.</p>}
      <details className="agent-can">
        <summary>What it can do</summary>
        <p className="quiet">{SOURCES[agent.capabilitiesBy ?? 'known']}</p>
        <p>Can: {can.join(', ')}.</p>
        {cannot.length > 0 && <p className="quiet">Cannot: {cannot.join(', ')}.</p>}
      </details>
    </li>
  );
}

/** Only told where another program runs it than the one that it would find itself. */
function Interpreter({ agent: { interpreter } }: { readonly agent: AgentDescription }) {
  if (interpreter === undefined) return null;
  return (
    <p className="rule-facts">
      run by <code>{interpreter.path}</code>
      {interpreter.version !== undefined && ` ${interpreter.version}`} found by {interpreter.foundBy}
    </p>
  );
}

/** Who says so. */
const SOURCES: Readonly<Record<NonNullable<AgentDescription['capabilitiesBy']>, string>> = {
  known: 'As it was seen to do when it was tried.',
  assumed: 'Assumed: it tells what it can do when it is first started.',
  told: 'As it told itself in its latest session.',
};
