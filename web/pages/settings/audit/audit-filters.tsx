import { useApp } from '../../../store/cockpit-context.ts';
import type { AuditFilter } from './audit-question.ts';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
}

const ACTIONS = [
  ['permission.resolved', 'answers to requests'],
  ['input.accepted', 'messages'],
  ['interrupt.requested', 'interruptions'],
  ['session.created', 'sessions begun'],
  ['session.deleted', 'sessions deleted'],
  ['rule.created', 'rules made'],
  ['rule.revoked', 'rules revoked'],
  ['token.added', 'tokens given'],
  ['token.revoked', 'tokens taken away'],
] as const;

/** What to look for; everything at once when nothing is said. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const sessions = useApp((state) => state.sessions);
  return (
    <form className="audit-filters" aria-label="Filter">
      <label className="field">
        <span>Words</span>
        <input type="search" value={filter.q} onChange={(event) => onChange({ q: event.target.value })} />
      </label>
      <label className="field">
        <span>Who</span>
        <input value={filter.actor} onChange={(event) => onChange({ actor: event.target.value })} />
      </label>
      <label className="field">
        <span>What</span>
        <select value={filter.action} onChange={(event) => onChange({ action: event.target.value })}>
          <option value="">anything</option>
          {ACTIONS.map(([action, words]) => (
            <option key={action} value={action}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Session</span>
        <select value={filter.session} onChange={(event) => onChange({ session: event.target.value })}>
          <option value="">any</option>
          {[...sessions.values()].map((session) => (
            <option key={session.id} value={session.id}>
              {session.title}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>From</span>
        <input type="date" value={filter.from} onChange={(event) => onChange({ from: event.target.value })} />
      </label>
      <label className="field">
        <span>To</span>
        <input type="date" value={filter.to} onChange={(event) => onChange({ to: event.target.value })} />
      </label>
    </form>
  );
}
