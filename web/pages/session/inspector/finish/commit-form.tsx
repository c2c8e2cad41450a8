import { useEffect, useState } from 'react';
import { countText } from '../../../../base/text/format.ts';
import { errorText } from '../../../../parts/common/one-at-a-time.ts';
import { ActOutput, lastOf } from './act-output.tsx';
import type { FinishStore, Repository } from './finish-store.ts';

export interface PartProps {
  readonly finish: FinishStore;
  readonly repo: Repository;
  readonly isFree: boolean;
}

export function CommitForm({ finish, repo, isFree }: PartProps) {
  const [message, setMessage] = useState('');
  const [note, setNote] = useState<string>();
  const [isDrafting, setDrafting] = useState(false);
  const count = repo.staged.length + repo.stagedElsewhere;
  const draft = async () => {
    setDrafting(true);
    setNote(undefined);
    try {
      const { text, by, note: why } = await finish.api.draft();
      setMessage(text);
      setNote(by === 'agent' ? 'Drafted by the agent. Edit it as you like.' : (why ?? 'Made from the changed files.'));
    } catch (error) {
      setNote(errorText(error));
    }
    setDrafting(false);
  };
  const [sent, setSent] = useState<string>();
  const commit = () =>
    finish.act(async () => {
      setNote(undefined);
      setSent((await finish.api.commit({ message })).commandId);
    });
  // A hook can still refuse it: the message stays until the commit is there.
  const isDone = sent !== undefined && repo.recent.some(({ commandId, ok }) => commandId === sent && ok);
  useEffect(() => {
    if (isDone) setMessage('');
  }, [isDone]);
  return (
    <section className="finish-part" aria-label="Commit">
      <h3>Commit</h3>
      <label className="field">
        <span>Message</span>
        <textarea rows={3} value={message} placeholder="What changed, and why" onChange={(event) => setMessage(event.target.value)} />
      </label>
      {note !== undefined && (
        <p className="quiet" role="status">
          {note}
        </p>
      )}
      <div className="finish-acts">
        <button type="button" className="button" disabled={!isFree || isDrafting || repo.staged.length === 0} onClick={() => void draft()}>
          {isDrafting ? 'Drafting…' : 'Draft'}
        </button>
        <button type="button" className="button primary" disabled={!isFree || count === 0 || message.trim() === ''} onClick={() => void commit()}>
          {count === 0 ? 'Commit' : `Commit ${countText(count, 'file')}`}
        </button>
      </div>
      <ActOutput repo={repo} act="commit" done={(outcome) => `Committed ${outcome.commit?.slice(0, 8) ?? ''}`} last={lastOf(repo, 'commit')} />
    </section>
  );
}
