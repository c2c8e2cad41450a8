import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { AuditEntry } from '../../../../src/protocol/api/audit.ts';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import type { AuditParams } from '../../../client/http/settings-api.ts';
import { DownloadLink } from '../../../parts/common/download-link.tsx';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditFilter, auditQuery, filterIn } from './audit-query.ts';

/** Who decided what, when and from where, newest first. Kept forever. */
export function AuditTab() {
  const settings = useSettings();
  const search = useLocation({ select: (location) => location.search });
  const navigate = useNavigate();
  // Also local state: a character typed before the address has changed would be lost.
  const [filter, setFilter] = useState(() => filterIn(search));
  const change = (part: Partial<AuditFilter>) => {
    setFilter({ ...filter, ...part });
    void navigate({ to: '.', search: { ...filter, ...part }, replace: true });
  };
  const question = useMemo(() => auditQuery(filter), [filter]);
  useEffect(() => void settings.loadAudit(question), [settings, question]);
  return (
    <section aria-label="Audit">
      <div className="section-head">
        <p>Every decision is kept, even after its session is deleted.</p>
        <ExportLinks question={question} />
      </div>
      <AuditFilters filter={filter} onChange={change} />
      <AuditEntries question={question} />
    </section>
  );
}

function ExportLinks({ question }: { readonly question: AuditParams }) {
  return (
    <p className="export-links">
      {(['csv', 'ndjson'] as const).map((format) => (
        <DownloadLink key={format} className="text-button" path={`api/audit?${new URLSearchParams({ ...question, format })}`}>
          {`Export ${format.toUpperCase()}`}
        </DownloadLink>
      ))}
    </p>
  );
}

function AuditEntries({ question }: { readonly question: AuditParams }) {
  const settings = useSettings();
  const entries = useSettingsState((state) => state.entries);
  const hasMore = useSettingsState((state) => state.nextCursor !== undefined);
  if (entries === undefined) return null;
  if (entries.length === 0) return <p className="quiet">No matching entries</p>;
  return (
    <>
      <ul className="audit-list">
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" className="button" onClick={() => void settings.loadMoreAudit(question)}>
          Show older
        </button>
      )}
    </>
  );
}

function AuditRow({ entry: { at, actor, sessionId, seq, words } }: { readonly entry: AuditEntry }) {
  return (
    <li>
      <time dateTime={at} title={at}>
        {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })}
      </time>
      <span className="audit-who" title={actor.from}>
        {actor.name}
        <small>{[actor.kind === 'person' ? '' : actor.kind, actor.from ?? ''].filter((part) => part !== '').join(' · ')}</small>
      </span>
      <span className="audit-words">
        <VisibleText text={words} />
      </span>
      {sessionId !== undefined && seq !== undefined && (
        <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="text-button">
          Show
        </Link>
      )}
    </li>
  );
}
