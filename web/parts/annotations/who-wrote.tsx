import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Blame } from '../../../src/protocol/api/blame.ts';
import { momentText } from '../../base/text/format.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { blameOf } from '../../client/http/blame-api.ts';

interface WhoWroteProps {
  readonly sessionId: string;
  readonly path: string;
  readonly line: number;
  /** What the person sees there. */
  readonly text: string;
}

/** Asks who wrote a line, and leads to the session, the prompt and the approval. */
export function WhoWrote({ sessionId, path, line, text }: WhoWroteProps) {
  const [found, setFound] = useState<Blame | string>();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    setFound(await blameOf(document.baseURI, sessionId, path, line).catch(messageOf));
    setAsking(false);
  };
  if (found === undefined) {
    return (
      <button type="button" className="text-button who-ask" disabled={isAsking} onClick={() => void ask()}>
        {isAsking ? 'Looking…' : 'Who wrote this?'}
      </button>
    );
  }
  if (typeof found === 'string') return <p className="form-problem">{found}</p>;
  if (found.text !== text.replace(/\r$/, ''))
    return <p className="who quiet">The file has changed since: this is no longer line {line}. Open it under Files.</p>;
  return <Answer blame={found} />;
}

function Answer({ blame }: { readonly blame: Blame }) {
  const { session, certainty, call, at, seq, prompt, approval, commit } = blame;
  if (session === undefined) {
    return (
      <dl className="who" aria-live="polite">
        <Row name="Written by">nobody Signalbox knows of</Row>
        {commit !== undefined && (
          <Row name="Commit">
            <code>{commit.commit.slice(0, 10)}</code> <VisibleLine text={commit.summary} />, <VisibleLine text={commit.author} />, {momentText(commit.at)}
          </Row>
        )}
      </dl>
    );
  }
  const to = (event: number | undefined, children: ReactNode) => (
    <Link to="/s/$sessionId" params={{ sessionId: session.id }} {...(event !== undefined && { hash: `e${event}` })} className="text-button">
      {children}
    </Link>
  );
  return (
    <dl className="who" aria-live="polite">
      <Row name="Written by">
        {to(seq, certainty === 'exact' ? (call?.tool ?? 'a tool') : 'a command in this turn')}
        {at !== undefined && <span className="quiet"> {momentText(at)}</span>}
      </Row>
      <Row name="Session">{to(undefined, <VisibleLine text={session.title} />)}</Row>
      {prompt !== undefined && <Row name="Prompt">{to(prompt.seq, <VisibleLine text={prompt.text} />)}</Row>}
      {certainty === 'exact' && (
        <Row name="Approval">
          {approval === undefined ? (
            <span className="quiet">nobody was asked</span>
          ) : (
            to(approval.seq, `${approval.outcome} by ${approval.by?.name ?? 'the agent'}`)
          )}
        </Row>
      )}
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
