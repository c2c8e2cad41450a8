import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Run } from '../../../src/protocol/api/runs.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { durationText } from '../../base/text/format.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { VisibleText } from '../../base/ui/visible-text.tsx';
import { createInspectorApi } from '../../client/http/inspector-api.ts';
import { Ago } from '../common/ago.tsx';
import './details.css';

/** What the agent reported about itself, and each run of its process. */
export default function DetailsDialog({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) {
  const [runs, setRuns] = useState<readonly Run[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    createInspectorApi(document.baseURI, session.id)
      .runs()
      .then(setRuns, (error: Error) => setProblem(error.message));
  }, [session.id]);
  return (
    <Dialog title="Session details" onClose={onClose}>
      <div className="details">
        <dl className="facts">
          <Fact name="Folder" value={session.cwd} />
          <Fact name="Owner" value={session.owner} />
          <Fact name="Session id" value={session.id} />
          {session.agentSessionId !== undefined && <Fact name="The agent’s own id" value={session.agentSessionId} />}
          <Fact name="Machine" value={`${session.hostname} (${session.platform})`} />
        </dl>
        {problem !== undefined && <p className="form-problem">{problem}</p>}
        {runs === undefined && problem === undefined && <p className="quiet">Loading…</p>}
        {runs?.length === 0 && <p className="quiet">The agent has not run here yet.</p>}
        {runs?.toReversed().map((run, at) => (
          <RunDetails key={run.run} run={run} sessionId={session.id} isLatest={at === 0} />
        ))}
      </div>
    </Dialog>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <VisibleText text={value} />
    </dd>
  </div>
);

interface RunDetailsProps {
  readonly run: Run;
  readonly sessionId: string;
  readonly isLatest: boolean;
}

function RunDetails({ run, sessionId, isLatest }: RunDetailsProps) {
  const isAlive = run.endedAt === undefined;
  return (
    <details className="run" open={isLatest}>
      <summary>
        <strong>{isAlive ? 'Running' : endText(run)}</strong>{' '}
        <span className="quiet">
          started <Ago at={run.openedAt} />
          {run.durationMs !== undefined && `, ran ${durationText(run.durationMs)}`}
          {run.pid !== undefined && ` · pid ${run.pid}`}
        </span>
      </summary>
      {run.mcpServers !== undefined && run.mcpServers.length > 0 && <Servers servers={run.mcpServers} />}
      <dl className="facts">
        <Fact name="Turns" value={run.failedTurns === 0 ? String(run.turns) : `${run.turns}, ${run.failedTurns} failed`} />
        {run.model !== undefined && <Fact name="Model" value={run.model} />}
        {run.version !== undefined && <Fact name="Version" value={run.version} />}
        {run.tools !== undefined && run.tools.length > 0 && <Fact name={`Tools (${run.tools.length})`} value={run.tools.join(', ')} />}
        {run.argv !== undefined && <Fact name="Command" value={run.argv.join(' ')} />}
      </dl>
      {run.denied.length > 0 && (
        <p>
          Not allowed:{' '}
          {run.denied.map(({ seq, tool }) => (
            <Link key={seq} to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="denied">
              {tool === '' ? 'a request' : tool}
            </Link>
          ))}
        </p>
      )}
      {run.stderr !== undefined && (
        <section aria-label="Errors the agent printed">
          <p className="quiet">Errors it printed (the end)</p>
          <pre className="stderr">
            <VisibleText text={run.stderr} />
          </pre>
        </section>
      )}
    </details>
  );
}

/** Failed servers first: they are why a tool is missing. */
function Servers({ servers }: { readonly servers: NonNullable<Run['mcpServers']> }) {
  const isUp = (status: string) => status === 'connected';
  const sorted = servers.toSorted((one, other) => Number(isUp(one.status)) - Number(isUp(other.status)));
  return (
    <ul className="servers" aria-label="MCP servers">
      {sorted.map(({ name, status }) => (
        <li key={name} className={status === 'failed' ? 'failed' : undefined}>
          <VisibleText text={name} /> <span className="quiet">{status}</span>
        </li>
      ))}
    </ul>
  );
}

function endText({ exit }: Run): string {
  if (exit === undefined) return 'Ended';
  if (exit.signal !== undefined && exit.signal !== null) return `Ended by ${exit.signal}`;
  return exit.code === 0 || exit.code === undefined || exit.code === null ? 'Ended' : `Ended with code ${exit.code}`;
}
