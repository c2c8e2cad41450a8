import { useApp } from '../../../store/cockpit-context.ts';
import type { DraftProps } from './rule-form.tsx';

const SCOPES = [
  ['everywhere', 'everywhere on this server'],
  ['project', 'in a folder and everything below it'],
  ['session', 'in one session'],
] as const;

/** Where the rule holds, and for which agent. */
export function RuleScopeFields({ draft, onChange }: DraftProps) {
  const agents = useApp((state) => state.agents);
  return (
    <div className="field-row">
      <label className="field">
        <span>Where</span>
        <select value={draft.scope} onChange={(event) => onChange({ scope: SCOPES.find(([scope]) => scope === event.target.value)?.[0] ?? 'everywhere' })}>
          {SCOPES.map(([scope, words]) => (
            <option key={scope} value={scope}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <ScopePlace draft={draft} onChange={onChange} />
      <label className="field">
        <span>Agent</span>
        <select value={draft.agent} onChange={(event) => onChange({ agent: event.target.value })}>
          <option value="">any</option>
          {agents?.map((agent) => (
            <option key={agent.id} value={agent.id}>
              {agent.title}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function ScopePlace({ draft, onChange }: DraftProps) {
  const sessions = useApp((state) => state.sessions);
  if (draft.scope === 'everywhere') return null;
  if (draft.scope === 'project') {
    return (
      <label className="field">
        <span>Folder</span>
        <input className="mono" list="folders" value={draft.folder} onChange={(event) => onChange({ folder: event.target.value })} />
        <datalist id="folders">
          {[...new Set([...sessions.values()].map((session) => session.cwd))].map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </label>
    );
  }
  return (
    <label className="field">
      <span>Session</span>
      <select value={draft.sessionId} onChange={(event) => onChange({ sessionId: event.target.value })}>
        <option value="">choose…</option>
        {[...sessions.values()].map((session) => (
          <option key={session.id} value={session.id}>
            {session.title}
          </option>
        ))}
      </select>
    </label>
  );
}
