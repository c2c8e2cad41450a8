import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { KIND_TITLES, STATE_TITLES } from '../../../src/domain/annotation/words.ts';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import type { AnnotationFilter } from '../../parts/address/annotations-address.ts';
import { CommentRow } from '../../parts/annotations/comment-row.tsx';
import type { Comment } from '../../parts/annotations/groups.ts';
import type { Act } from '../../parts/annotations/use-comments.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { useAllComments } from './use-all-comments.ts';
import '../../parts/annotations/annotations.css';
import './annotations.css';

/** The comments of all sessions. */
export default function AnnotationsPage() {
  const filter: AnnotationFilter = useSearch({ strict: false });
  const { comments, problem, act } = useAllComments(filter);
  const sessions = useMemo(() => [...new Set(comments?.map(({ sessionId }) => sessionId))], [comments]);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <main className="all-comments">
      <header className="page-head">
        <h1>Comments</h1>
        <p className="page-summary" role="status">
          {comments !== undefined && comments.length > 0 ? `${comments.length}` : ''}
        </p>
      </header>
      <div className="all-comments-body">
        <Filters filter={filter} />
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        {comments === undefined && problem === undefined && <p className="quiet">Loading…</p>}
        {comments?.length === 0 && (
          <p className="quiet">{isFiltered ? 'No matches' : 'No comments yet. Open a session and comment on a line, a message, a plan or a tool call.'}</p>
        )}
        {sessions.map((id) => (
          <SessionComments key={id} sessionId={id} comments={comments?.filter(({ sessionId }) => sessionId === id) ?? []} act={act} />
        ))}
      </div>
    </main>
  );
}

function Filters({ filter }: { readonly filter: AnnotationFilter }) {
  const navigate = useNavigate();
  const sessions = useApp((state) => state.sessions);
  const change = (part: Record<string, string>) => {
    const changed = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/annotations', search: Object.fromEntries(changed), replace: true });
  };
  return (
    <form className="comment-filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        <span>State</span>
        <select value={filter.state ?? ''} onChange={(event) => change({ state: event.target.value })}>
          <option value="">Any state</option>
          <Options titles={STATE_TITLES} />
        </select>
      </label>
      <label className="field">
        <span>Kind</span>
        <select value={filter.kind ?? ''} onChange={(event) => change({ kind: event.target.value })}>
          <option value="">Any kind</option>
          <Options titles={KIND_TITLES} />
        </select>
      </label>
      <label className="field">
        <span>Session</span>
        <select value={filter.session ?? ''} onChange={(event) => change({ session: event.target.value })}>
          <option value="">Any session</option>
          <Options titles={Object.fromEntries([...sessions.values()].map(({ id, title }) => [id, title]))} />
        </select>
      </label>
      <label className="field">
        <span>File</span>
        <input type="search" placeholder="src/cart.ts" value={filter.file ?? ''} onChange={(event) => change({ file: event.target.value })} />
      </label>
    </form>
  );
}

const Options = ({ titles }: { readonly titles: Readonly<Record<string, string>> }) =>
  Object.entries(titles).map(([value, title]) => (
    <option key={value} value={value}>
      {title}
    </option>
  ));

interface SessionCommentsProps {
  readonly sessionId: string;
  readonly comments: readonly Comment[];
  readonly act: Act;
}

function SessionComments({ sessionId, comments, act }: SessionCommentsProps) {
  const title = useApp((state) => state.sessions.get(sessionId)?.title ?? sessionId);
  const cwd = useApp((state) => state.sessions.get(sessionId)?.cwd ?? '');
  const drafts = comments.filter(({ state }) => state === 'draft').length;
  return (
    <section aria-label={title}>
      <h2>
        <Link to="/s/$sessionId/review" params={{ sessionId }}>
          <VisibleLine text={title} />
        </Link>
        {drafts > 0 && (
          <Link to="/s/$sessionId/review" params={{ sessionId }} className="text-button">
            {`Review and send (${drafts})`}
          </Link>
        )}
      </h2>
      {comments.map((comment) => (
        <CommentRow key={comment.annotationId} comment={comment} cwd={cwd} act={act} showsState />
      ))}
    </section>
  );
}
