import { useApp } from '../../../store/cockpit-context.ts';
import type { DraftProps } from './rule-form.tsx';

const SCOPES = [
  ['everywhere', 'Everywhere on this server'],
  ['project', 'A folder and its subfolders'],
  ['session', 'One session'],
] as const;

/** Where the rule applies, and to which agent. */
export function RuleScopeFields({ draft, onChange }: DraftProps) {
  const agents = useApp((state) => state.agents);
  return (
    <div className="field-row">
      <label className="field">
        <span>Scope</span>
        <select value={draft.scope} onChange={(event) => onChange({ scope: SCOPES.find(([scope]) => scope === event.target.value)?.[0] ?? 'everywhere' })}>
          {SCOPES.map(([scope, label]) => (
            <option key={scope} value={scope}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <ScopePlace draft={draft} onChange={onChange} />
      <label className="field">
        <span>Agent</span>
        <select value={draft.agent} onChange={(event) => onChange({ agent: event.target.value })}>
          <option value="">Any agent</option>
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
        <option value="">Choose…</option>
        {[...sessions.values()].map((session) => (
          <option key={session.id} value={session.id}>
            {session.title}
          </option>
        ))}
      </select>
    </label>
  );
}
