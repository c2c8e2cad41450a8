import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Worktree } from '../../../src/protocol/api/worktree.ts';
import { createWorktreeApi } from '../../client/http/worktree-api.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { ScriptsDialog } from './scripts-dialog.tsx';
import { WorktreeRow } from './worktree-row.tsx';
import { openWorktrees } from './worktrees-store.ts';
import './worktrees.css';

/** Every worktree of the sessions' repositories: what is in it, and what can be done with it. */
export default function WorktreesPage() {
  const [worktrees] = useState(() => openWorktrees(createWorktreeApi(document.baseURI)));
  const { list, problem } = useStore(worktrees.store);
  // The server pushes sessions; whatever changes with one of them changes the list.
  const changes = useApp((state) => worktreeStates(state.sessions.values()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any worktree is the reason to load again
  useEffect(() => void worktrees.load(), [worktrees, changes]);
  const repos = useMemo(() => [...new Set(list?.map(({ repo }) => repo))], [list]);
  return (
    <main className="worktrees">
      <header className="page-head">
        <h1>Worktrees</h1>
      </header>
      <div className="worktrees-body">
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        {list === undefined && problem === undefined && <p className="quiet">Loading…</p>}
        {list?.length === 0 && <p className="quiet">No worktrees yet. Turn on “Work in its own worktree” when you start a session.</p>}
        {repos.map((repo) => (
          <Repository key={repo} repo={repo} rows={list?.filter((one) => one.repo === repo) ?? []} worktrees={worktrees} />
        ))}
      </div>
    </main>
  );
}

interface RepositoryProps {
  readonly repo: string;
  readonly rows: readonly Worktree[];
  readonly worktrees: ReturnType<typeof openWorktrees>;
}

function Repository({ repo, rows, worktrees }: RepositoryProps) {
  const [ours, others] = [rows.filter(({ id }) => id !== undefined), rows.filter(({ id }) => id === undefined)];
  const [isEditing, setEditing] = useState(false);
  const isOwner = useApp(({ you }) => you?.role === 'owner');
  const close = () => {
    setEditing(false);
    void worktrees.load();
  };
  return (
    <section aria-label={repo}>
      <header className="repository-head">
        <h2 className="mono">{repo}</h2>
        {isOwner && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            Scripts…
          </button>
        )}
      </header>
      {isEditing && <ScriptsDialog repo={repo} api={worktrees.api} onClose={close} />}
      <ul className="worktree-list">
        {ours.map((worktree) => (
          <WorktreeRow key={worktree.id} worktree={worktree} worktrees={worktrees} />
        ))}
      </ul>
      {others.length > 0 && (
        <details className="worktree-others">
          <summary>{others.length === 1 ? '1 other worktree' : `${others.length} other worktrees`}, not made by Signalbox</summary>
          <ul>
            {others.map(({ path, branch, main }) => (
              <li key={path}>
                <code>{branch ?? 'detached'}</code> <span className="quiet">{path}</span> {main && <span className="quiet">(main folder)</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function worktreeStates(
  sessions: Iterable<{ readonly id: string; readonly status: string; readonly worktree?: { readonly state: string } | undefined }>,
): string {
  return [...sessions].flatMap(({ id, status, worktree }) => (worktree === undefined ? [] : [`${id} ${status} ${worktree.state}`])).join();
}
