import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { createFinishApi } from '../../../../client/http/finish-api.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import './finish.css';
import { CommitForm } from './commit-form.tsx';
import { type FinishStore, openFinishStore, type Repository } from './finish-store.ts';
import { PlantedNotice } from './planted-notice.tsx';
import { PullRequestPart } from './pull-request-part.tsx';
import { PushPart } from './push-part.tsx';
import { SideFiles } from './side-files.tsx';
import { useLastGitEvent } from './use-last-git-event.ts';

/** Stage, commit, push, and open a pull request, without leaving the session. */
export default function FinishPane() {
  const { sessionId } = useInspector();
  const finish = useMemo(() => openFinishStore(createFinishApi(document.baseURI, sessionId)), [sessionId]);
  const work = useLastGitEvent(sessionId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads after the agent or a person changed something
  useEffect(() => void finish.refresh(), [finish, work]);
  const state = useStore(finish.store);
  return (
    <section className="finish" aria-label="Finish">
      <div role="alert">{state.problem !== undefined && <p className="form-problem">{state.problem}</p>}</div>
      {state.finish === undefined && state.problem === undefined && <p className="side-words">Loading…</p>}
      {state.finish?.repository === false && <p className="side-words">{state.finish.reason}</p>}
      {state.finish?.repository === true && <Repo finish={finish} repo={state.finish} />}
    </section>
  );
}

function Repo({ finish, repo }: { readonly finish: FinishStore; readonly repo: Repository }) {
  const isBusy = useStore(finish.store, (state) => state.busy);
  const mayAct = useApp((state) => state.role !== 'viewer');
  const isConfirmed = repo.planted === undefined || repo.planted.confirmed;
  const isFree = mayAct && isConfirmed && !isBusy && repo.running === undefined;
  return (
    <div className="finish-body">
      <p className="finish-branch">
        <span>
          On <code>{repo.branch ?? repo.head?.slice(0, 8) ?? 'no branch'}</code>
          {repo.upstream !== undefined && <UpstreamText upstream={repo.upstream} />}
        </span>
        <button type="button" className="icon-button" aria-label="Reload" onClick={() => void finish.refresh()}>
          <RefreshCw size={14} aria-hidden="true" />
        </button>
      </p>
      {!mayAct && <p className="side-words">You can look at this. To stage, commit or push you need the role driver.</p>}
      {repo.locked !== undefined && repo.running === undefined && <p className="finish-caution">{repo.locked}</p>}
      {repo.planted !== undefined && !repo.planted.confirmed && <PlantedNotice finish={finish} planted={repo.planted} mayConfirm={mayAct && !isBusy} />}
      <SideFiles finish={finish} side="unstaged" files={repo.unstaged} isFree={isFree} more={repo.more} hasDiscarded={repo.recent.at(-1)?.act === 'discard'} />
      <SideFiles finish={finish} side="staged" files={repo.staged} isFree={isFree} more={false} elsewhere={repo.stagedElsewhere} />
      <CommitForm finish={finish} repo={repo} isFree={isFree} />
      <PushPart finish={finish} repo={repo} isFree={isFree} />
      <PullRequestPart finish={finish} repo={repo} isFree={isFree} />
    </div>
  );
}

function UpstreamText({ upstream: { name, ahead, behind } }: { readonly upstream: NonNullable<Repository['upstream']> }) {
  const parts = [ahead > 0 ? `${ahead} ahead` : '', behind > 0 ? `${behind} behind` : ''].filter((part) => part !== '');
  return (
    <span className="quiet">
      {' '}
      · {parts.length === 0 ? 'same as' : `${parts.join(', ')} of`} <code>{name}</code>
    </span>
  );
}
