import { useState } from 'react';
import { AnnotationId } from '../../../src/protocol/annotation.ts';
import type { PrCard, SessionPr } from '../../../src/protocol/git.ts';
import { CommandId, type SessionId } from '../../../src/protocol/ids.ts';
import { VisibleLine, VisibleText } from '../../base/ui/visible-text.tsx';
import { createAnnotationApi } from '../../client/http/annotation-api.ts';
import { ApiError } from '../../client/http/api.ts';
import { createFinishApi } from '../../client/http/finish-api.ts';
import './pr-cards.css';

/** What a person should look at about a session's pull request: failed checks and new comments. */
export function PrCards({ sessionId, pr }: { readonly sessionId: SessionId; readonly pr: SessionPr }) {
  return pr.cards.map((card) => <Card key={card.id} sessionId={sessionId} card={card} pr={pr} />);
}

function Card({ sessionId, card, pr }: { readonly sessionId: SessionId; readonly card: PrCard; readonly pr: SessionPr }) {
  const [state, setState] = useState<'here' | 'busy' | { readonly problem: string }>('here');
  const settle = async (send: boolean) => {
    setState('busy');
    try {
      await createFinishApi(document.baseURI, sessionId).card(card.id, send);
    } catch (error) {
      setState({ problem: error instanceof ApiError ? error.message : 'That didn’t work. Try again.' });
    }
  };
  /** The comment on the line becomes one of ours, and is sent with the next review. The same ids twice make it once. */
  const addToReview = async (path: string, line: number) => {
    setState('busy');
    const annotationId = AnnotationId.parse(`pr-${pr.number}-${card.id}`.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64));
    const commandId = CommandId.parse(`annotate:${annotationId}`);
    const target = { type: 'code', file: path, lineStart: line } as const;
    try {
      await createAnnotationApi(document.baseURI).make({ sessionId, target, kind: 'action', text: `${card.title}: ${card.text}`, annotationId, commandId });
      await createFinishApi(document.baseURI, sessionId).card(card.id, false);
    } catch (error) {
      setState({ problem: error instanceof ApiError ? error.message : 'That didn’t work. Try again.' });
    }
  };
  const isBusy = state === 'busy';
  const { path, line } = card;
  return (
    <article className="pr-card" aria-label={card.kind === 'check' ? `Check failed: ${card.title}` : `Comment by ${card.title}`}>
      <p className="pr-card-head">
        {card.kind === 'check' ? 'Check failed: ' : ''}
        <strong>
          <VisibleLine text={card.title} />
        </strong>
        {card.kind === 'comment' ? ' commented' : ''}
        {card.path !== undefined && (
          <>
            {' on '}
            <code>
              <VisibleLine text={`${card.path}${card.line === undefined ? '' : `:${card.line}`}`} />
            </code>
          </>
        )}
      </p>
      {card.kind === 'comment' && (
        <p className="pr-card-text">
          <VisibleText text={card.text} />
        </p>
      )}
      {typeof state === 'object' && <p className="form-problem">{state.problem}</p>}
      <div className="pr-card-acts">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void settle(true)}>
          Send to agent
        </button>
        {path !== undefined && line !== undefined && (
          <button type="button" className="button" disabled={isBusy} onClick={() => void addToReview(path, line)}>
            Add to review
          </button>
        )}
        <a className="button" href={card.url ?? pr.url} target="_blank" rel="noreferrer">
          Open
        </a>
        <button type="button" className="button plain" disabled={isBusy} onClick={() => void settle(false)}>
          Dismiss
        </button>
      </div>
    </article>
  );
}
