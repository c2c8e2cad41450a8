import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { KIND_TITLES, STATE_TITLES } from '../../../src/domain/annotation/words.ts';
import { shownPath } from '../../../src/domain/changes/path.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { VisibleLine, VisibleText } from '../../base/ui/visible-text.tsx';
import type { Comment } from './groups.ts';
import type { Act } from './use-comments.ts';

interface CommentRowProps {
  readonly comment: Comment;
  readonly cwd: string;
  readonly act: Act;
  /** Of a draft: whether it is part of the next review. */
  readonly isChosen?: boolean;
  readonly onChoose?: () => void;
  /** A link to an event of the comment's session. */
  readonly link?: EventLink;
  /** Where the list is not grouped by it. */
  readonly showsState?: boolean;
}

type EventLink = (seq: number, words: string) => ReactNode;

export function CommentRow({ comment, cwd, act, isChosen, onChoose, link = linkTo(comment.sessionId), showsState = false }: CommentRowProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <article className={`comment comment-${comment.state}`}>
      <header className="comment-head">
        {onChoose !== undefined && <input type="checkbox" aria-label="Include in the review" checked={isChosen ?? false} onChange={onChoose} />}
        <span className={`comment-tag kind-${comment.kind}`}>{KIND_TITLES[comment.kind]}</span>
        <Place comment={comment} cwd={cwd} link={link} />
        {showsState && <span className="quiet">{STATE_TITLES[comment.state]}</span>}
        {comment.sent !== undefined && <span className="quiet">{comment.sent.label}</span>}
        {comment.by !== undefined && <span className="quiet">{comment.by.name}</span>}
      </header>
      {comment.anchor?.quote !== undefined && comment.anchor.quote !== '' && (
        <pre className="comment-quote">
          <VisibleText text={comment.anchor.quote} />
        </pre>
      )}
      {typed === undefined ? <Said comment={comment} /> : <Edit text={typed} onType={setTyped} />}
      <Answer comment={comment} link={link} />
      <Actions comment={comment} act={act} typed={typed} onType={setTyped} />
    </article>
  );
}

const linkTo =
  (sessionId: string): EventLink =>
  (seq, words) => (
    <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="text-button">
      {words}
    </Link>
  );

function Place({ comment, cwd, link }: { readonly comment: Comment; readonly cwd: string; readonly link: EventLink }) {
  const { sessionId, target, place, orphaned, seq, anchor, answered } = comment;
  if (target.type === 'conversation') return link(anchor?.seq ?? seq, 'message');
  if (target.type === 'tool-call') return link(anchor?.seq ?? seq, target.field === 'plan' ? 'plan' : 'tool call');
  const path = shownPath(cwd, target.file);
  const { from, to } = place ?? { from: target.lineStart, to: target.lineEnd ?? target.lineStart };
  return (
    <>
      <Link to="/s/$sessionId/files" params={{ sessionId }} search={{ path }} className="text-button comment-place">
        <VisibleLine text={`${path}:${from}${to > from ? `–${to}` : ''}`} />
      </Link>
      {target.side === 'old' && <span className="quiet">removed line</span>}
      {orphaned && answered?.how !== 'edit' && <span className="comment-orphaned">These lines are no longer in the file</span>}
    </>
  );
}

function Said({ comment: { text, suggestion } }: { readonly comment: Comment }) {
  return (
    <>
      <p className="comment-text">
        <VisibleText text={text} />
      </p>
      {suggestion !== undefined && (
        <pre className="comment-suggestion">
          <VisibleText text={suggestion} />
        </pre>
      )}
    </>
  );
}

function Edit({ text, onType }: { readonly text: string; readonly onType: (text: string) => void }) {
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the person has just pressed Edit
      autoFocus
      className="comment-edit"
      aria-label="Comment"
      rows={3}
      maxLength={LIMITS.commentChars}
      value={text}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

/** The evidence: where the agent did or said it. */
function Answer({ comment: { answered, sent, sessionId }, link }: { readonly comment: Comment; readonly link: EventLink }) {
  if (answered === undefined) return null;
  const isHere = sent?.to === sessionId;
  return (
    <p className="comment-answer">
      {answered.how === 'edit' ? 'Edited these lines' : answered.text === undefined ? 'Answered' : <VisibleText text={answered.text} />}{' '}
      {isHere && link(answered.evidenceSeq ?? answered.seq, 'Show')}
    </p>
  );
}

interface ActionsProps {
  readonly comment: Comment;
  readonly act: Act;
  readonly typed: string | undefined;
  readonly onType: (text: string | undefined) => void;
}

function Actions({ comment: { annotationId: id, state, text }, act, typed, onType }: ActionsProps) {
  const settle = (outcome: 'verified' | 'dropped' | 'reopened') => void act((api) => api.settle(id, outcome));
  if (state === 'draft' && typed !== undefined) {
    const save = async () => {
      if (await act((api) => api.edit(id, { text: typed.trim() }))) onType(undefined);
    };
    return (
      <p className="comment-actions">
        <Button label="Save" onClick={() => void save()} isOff={typed.trim() === ''} />
        <Button label="Cancel" onClick={() => onType(undefined)} />
      </p>
    );
  }
  return (
    <p className="comment-actions">
      {state === 'draft' && (
        <>
          <Button label="Edit" onClick={() => onType(text)} />
          <Button label="Withdraw" onClick={() => void act((api) => api.withdraw(id))} />
        </>
      )}
      {(state === 'sent' || state === 'answered' || state === 'skipped') && (
        <>
          <Button label="Verify" onClick={() => settle('verified')} />
          <Button label="Drop" onClick={() => settle('dropped')} />
        </>
      )}
      {state === 'settled' && <Button label="Reopen" onClick={() => settle('reopened')} />}
    </p>
  );
}

function Button({ label, onClick, isOff = false }: { readonly label: string; readonly onClick: () => void; readonly isOff?: boolean }) {
  return (
    <button type="button" className="text-button" disabled={isOff} onClick={onClick}>
      {label}
    </button>
  );
}
