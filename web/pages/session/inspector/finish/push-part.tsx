import { useState } from 'react';
import { countText } from '../../../../base/text/format.ts';
import { ActOutput, lastOf } from './act-output.tsx';
import type { PartProps } from './commit-form.tsx';
import type { Repository } from './finish-store.ts';

export function PushPart({ finish, repo, isFree }: PartProps) {
  const [remote, setRemote] = useState('');
  const { upstream, remotes, head } = repo;
  if (head === undefined) return null;
  const names = remotes.map(({ name }) => name);
  const where = remote === '' ? {} : { remote };
  const isEven = upstream !== undefined && upstream.ahead === 0 && remote === '';
  return (
    <section className="finish-part" aria-label="Push">
      <h3>Push</h3>
      {names.length === 0 && <p className="quiet">This repository has no remote.</p>}
      {names.length > 0 && (
        <div className="finish-acts">
          {names.length > 1 && (
            <select aria-label="Remote" value={remote} onChange={(event) => setRemote(event.target.value)}>
              <option value="">Default remote</option>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
          <span className="quiet">{pushText(repo)}</span>
          <button type="button" className="button primary" disabled={!isFree || isEven} onClick={() => void finish.act(() => finish.api.push(where))}>
            Push
          </button>
        </div>
      )}
      <ActOutput repo={repo} act="push" done={() => 'Pushed.'} last={lastOf(repo, 'push')} />
      <Overwrite finish={finish} repo={repo} isFree={isFree} />
    </section>
  );
}

function pushText({ upstream, branch }: Repository): string {
  if (upstream === undefined) return `${branch ?? 'This commit'} is not on a remote yet.`;
  return upstream.ahead === 0 ? 'Everything is pushed.' : `${countText(upstream.ahead, 'commit')} for ${upstream.name}`;
}

/** Offered only after a push was refused, and only with a second, explicit step. */
function Overwrite({ finish, repo: { upstream, recent }, isFree }: PartProps) {
  const [isAsking, setAsking] = useState(false);
  const last = recent.findLast(({ act }) => act === 'push');
  if (upstream?.commit === undefined || upstream.behind === 0 || last === undefined || last.ok) return null;
  const expected = upstream.commit;
  const overwrite = async () => {
    setAsking(false);
    await finish.act(() => finish.api.push({ overwrite: { expected } }));
  };
  if (!isAsking)
    return (
      <button type="button" className="text-button" disabled={!isFree} onClick={() => setAsking(true)}>
        Overwrite the remote branch…
      </button>
    );
  return (
    <div className="finish-caution">
      <p>
        This replaces {countText(upstream.behind, 'commit')} on <code>{upstream.name}</code> that you don’t have. If somebody pushed since{' '}
        <code>{expected.slice(0, 8)}</code>, nothing is overwritten.
      </p>
      <div className="finish-acts">
        <button type="button" className="button" onClick={() => setAsking(false)}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={!isFree} onClick={() => void overwrite()}>
          Overwrite
        </button>
      </div>
    </div>
  );
}
