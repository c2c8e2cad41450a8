import { useApp } from '../../../store/cockpit-context.ts';
import type { AuditFilter } from './audit-query.ts';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
}

const ACTIONS = [
  ['permission.resolved', 'Answers to requests'],
  ['input.accepted', 'Messages'],
  ['interrupt.requested', 'Interruptions'],
  ['session.created', 'Sessions started'],
  ['session.deleted', 'Sessions deleted'],
  ['rule.created', 'Rules created'],
  ['rule.revoked', 'Rules revoked'],
  ['token.added', 'Tokens created'],
  ['token.revoked', 'Tokens revoked'],
] as const;

/** The filters of the audit log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const sessions = useApp((state) => state.sessions);
  return (
    <form className="audit-filters" aria-label="Filter">
      <label className="field">
        <span>Contains</span>
        <input type="search" value={filter.q} onChange={(event) => onChange({ q: event.target.value })} />
      </label>
      <label className="field">
        <span>Person</span>
        <input value={filter.actor} onChange={(event) => onChange({ actor: event.target.value })} />
      </label>
      <label className="field">
        <span>Action</span>
        <select value={filter.action} onChange={(event) => onChange({ action: event.target.value })}>
          <option value="">Any action</option>
          {ACTIONS.map(([action, label]) => (
            <option key={action} value={action}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Session</span>
        <select value={filter.session} onChange={(event) => onChange({ session: event.target.value })}>
          <option value="">Any session</option>
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
