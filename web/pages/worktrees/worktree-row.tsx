import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Worktree } from '../../../src/protocol/api/worktree.ts';
import { agoText, sizeText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { messageOf, type Worktrees } from './worktrees-store.ts';

const STATES: Readonly<Record<Worktree['state'], string>> = {
  making: 'Being made',
  waiting: 'Waiting for you',
  made: 'Ready',
  failed: 'Failed',
  removing: 'Being removed',
  removed: 'Removed',
  other: '',
};

interface WorktreeRowProps {
  readonly worktree: Worktree;
  readonly worktrees: Worktrees;
}

/** One worktree: its branch, what is in it, and what can be done with it. */
export function WorktreeRow({ worktree, worktrees }: WorktreeRowProps) {
  const { branch, base, session, state, dirty, ahead, disk, problem, path } = worktree;
  return (
    <li className="worktree-row" aria-label={branch}>
      <div className="worktree-what">
        <p className="worktree-name">
          <code>{branch}</code> <span className="quiet">from {base}</span>
          {state !== 'made' && <span className={`worktree-state ${state}`}>{STATES[state]}</span>}
        </p>
        {session !== undefined && (
          <Link to="/s/$sessionId" params={{ sessionId: session.id }} className="worktree-session">
            {session.title}
          </Link>
        )}
        <p className="worktree-facts">
          {dirty !== undefined && <span>{countText(dirty, 'changed file', 'changed files', 'clean')}</span>}
          {ahead !== undefined && <span>{countText(ahead, 'commit ahead', 'commits ahead', 'no commits of its own')}</span>}
          {disk !== undefined && (
            <span>
              {sizeText(disk.bytes)} on disk, measured <MeasuredAgo at={disk.at} />
            </span>
          )}
          <code className="worktree-path">{path}</code>
        </p>
        {problem !== undefined && <pre className="worktree-problem">{problem.message}</pre>}
      </div>
      <WorktreeActs worktree={worktree} worktrees={worktrees} />
    </li>
  );
}

const countText = (count: number, one: string, many: string, none: string): string => (count === 0 ? none : `${count} ${count === 1 ? one : many}`);

/** The buttons that make sense now, and the server's refusal of the last one. */
function WorktreeActs({ worktree, worktrees }: WorktreeRowProps) {
  const { id = '', state, scripts, runScript } = worktree;
  const cockpit = useCockpit();
  const [dialog, setDialog] = useState<'merge' | 'remove'>();
  const [refusal, setRefusal] = useState('');
  const mayAct = useApp(({ you }) => you !== undefined && you.role !== 'viewer');
  const act = async (verb: 'archive' | 'restore' | 'setup' | 'run') => {
    setRefusal('');
    await worktrees.api.act(id, verb).catch((error: unknown) => setRefusal(messageOf(error)));
    await worktrees.load();
  };
  const stop = async (script: string) => {
    await cockpit.stop(script);
    await worktrees.load();
  };
  const done = () => {
    setDialog(undefined);
    void worktrees.load();
  };
  if (!mayAct) return null;
  return (
    <div className="worktree-acts">
      {state === 'made' && <Act label="Merge…" onPress={() => setDialog('merge')} />}
      {state === 'made' && scripts?.run !== undefined && runScript === undefined && <Act label="Run" onPress={() => void act('run')} />}
      {runScript !== undefined && <Act label="Stop run script" onPress={() => void stop(runScript)} />}
      {state === 'failed' && <Act label="Retry setup" onPress={() => void act('setup')} />}
      {state === 'made' && <Act label="Archive" onPress={() => void act('archive')} />}
      {(state === 'made' || state === 'failed') && <Act label="Remove…" onPress={() => setDialog('remove')} />}
      {state === 'removed' && <Act label="Restore" onPress={() => void act('restore')} />}
      {refusal !== '' && (
        <p className="form-problem" role="alert">
          {refusal}
        </p>
      )}
      {dialog === 'merge' && <MergeDialog worktree={worktree} api={worktrees.api} onClose={done} />}
      {dialog === 'remove' && <RemoveDialog worktree={worktree} api={worktrees.api} onClose={done} />}
    </div>
  );
}

const Act = ({ label, onPress }: { readonly label: string; readonly onPress: () => void }) => (
  <button type="button" className="button" onClick={onPress}>
    {label}
  </button>
);

function MeasuredAgo({ at }: { readonly at: string }) {
  const text = useApp((state) => agoText(state.now - Date.parse(at)));
  return <time dateTime={at}>{text === 'now' ? 'just now' : `${text} ago`}</time>;
}
