import { useState } from 'react';
import type { PrCard, SessionPr } from '../../../src/protocol/git.ts';
import { VisibleLine, VisibleText } from '../../base/ui/visible-text.tsx';
import { ApiError } from '../../client/http/api.ts';
import { createFinishApi } from '../../client/http/finish-api.ts';
import './pr-cards.css';

/** What a person should look at about a session's pull request: failed checks and new comments. */
export function PrCards({ sessionId, pr }: { readonly sessionId: string; readonly pr: SessionPr }) {
  return pr.cards.map((card) => <Card key={card.id} sessionId={sessionId} card={card} pr={pr} />);
}

function Card({ sessionId, card, pr }: { readonly sessionId: string; readonly card: PrCard; readonly pr: SessionPr }) {
  const [state, setState] = useState<'here' | 'busy' | { readonly problem: string }>('here');
  const settle = async (send: boolean) => {
    setState('busy');
    try {
      await createFinishApi(document.baseURI, sessionId).card(card.id, send);
    } catch (error) {
      setState({ problem: error instanceof ApiError ? error.message : 'That didn’t work. Try again.' });
    }
  };
  const isBusy = state === 'busy';
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
