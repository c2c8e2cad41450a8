import { type FormEvent, useState } from 'react';
import type { SessionPr } from '../../../../../src/protocol/git.ts';
import { SessionId } from '../../../../../src/protocol/ids.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { errorText } from '../../../../parts/common/one-at-a-time.ts';
import { PrCards } from '../../../../parts/pull-request/pr-cards.tsx';
import { useInspector } from '../inspector-context.ts';
import type { PartProps } from './commit-form.tsx';

export function PullRequestPart({ finish, repo, isFree }: PartProps) {
  if (repo.pr !== undefined) return <Linked pr={repo.pr} look={finish.api.pullRequest} />;
  const isPushed = repo.upstream !== undefined && repo.upstream.ahead === 0;
  return (
    <section className="finish-part" aria-label="Pull request">
      <h3>Pull request</h3>
      {isPushed ? <NewPullRequest finish={finish} repo={repo} isFree={isFree} /> : <p className="quiet">Push the branch first.</p>}
    </section>
  );
}

function NewPullRequest({ finish, isFree }: PartProps) {
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [isDraft, setDraft] = useState(false);
  const [compareUrl, setCompareUrl] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void finish.act(async () => {
      const answer = await finish.api.openPullRequest({ title, body, ...(isDraft && { draft: true }) });
      if ('compareUrl' in answer) setCompareUrl(answer.compareUrl);
    });
  };
  return (
    <form onSubmit={submit}>
      <label className="field">
        <span>Title</span>
        <input value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <label className="field">
        <span>Description (optional)</span>
        <textarea rows={2} value={body} onChange={(event) => setBody(event.target.value)} />
      </label>
      <div className="finish-acts">
        <label className="finish-check">
          <input type="checkbox" checked={isDraft} onChange={(event) => setDraft(event.target.checked)} /> Draft
        </label>
        <button type="submit" className="button primary" disabled={!isFree || title.trim() === ''}>
          Open pull request
        </button>
      </div>
      {compareUrl !== undefined && (
        <p>
          Neither gh nor glab is installed here.{' '}
          <a href={compareUrl} target="_blank" rel="noreferrer">
            Open it on the host
          </a>
        </p>
      )}
    </form>
  );
}

const STATES = { open: 'Open', draft: 'Draft', merged: 'Merged', closed: 'Closed' } as const;
const CHECKS = { pending: 'Running', passed: 'Passed', failed: 'Failed', skipped: 'Skipped' } as const;

function Linked({ pr, look }: { readonly pr: SessionPr; readonly look: () => Promise<{ problem?: string | undefined }> }) {
  const { sessionId } = useInspector();
  const [problem, setProblem] = useState<string>();
  const check = () =>
    look().then(
      (now) => setProblem(now.problem),
      (error: unknown) => setProblem(errorText(error)),
    );
  return (
    <section className="finish-part" aria-label="Pull request">
      <h3>
        <a href={pr.url} target="_blank" rel="noreferrer">
          Pull request #{pr.number}
        </a>{' '}
        <span className="quiet">{STATES[pr.state]}</span>
      </h3>
      <ul className="finish-checks">
        {pr.checks.map(({ name, state, url }) => (
          <li key={name} className={`check-${state}`}>
            <span>{CHECKS[state]}</span>
            {url === undefined ? (
              <VisibleLine text={name} />
            ) : (
              <a href={url} target="_blank" rel="noreferrer">
                <VisibleLine text={name} />
              </a>
            )}
          </li>
        ))}
      </ul>
      {pr.checks.length === 0 && <p className="quiet">No checks reported yet.</p>}
      {problem !== undefined && <p className="finish-caution">{problem}</p>}
      <PrCards sessionId={SessionId.parse(sessionId)} pr={pr} />
      <div className="finish-acts">
        <button type="button" className="button" onClick={() => void check()}>
          Check now
        </button>
      </div>
    </section>
  );
}
