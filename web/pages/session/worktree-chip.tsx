import { Link } from '@tanstack/react-router';
import { GitBranch } from 'lucide-react';
import type { WorktreeOfSession } from '../../../src/protocol/session.ts';

const STATES: Readonly<Partial<Record<WorktreeOfSession['state'], string>>> = {
  making: 'being made',
  waiting: 'needs you',
  failed: 'failed',
  removing: 'being removed',
  removed: 'removed',
};

/** The session's worktree: its branch, and its state unless it is simply there. */
export function WorktreeChip({ worktree: { branch, path, state } }: { readonly worktree: WorktreeOfSession }) {
  const word = STATES[state];
  return (
    <Link to="/worktrees" className="chip chip-worktree" title={`Worktree ${path}`}>
      <GitBranch size={13} aria-hidden="true" />
      <span className="unseen">Worktree </span>
      {branch.replace(/^signalbox\//, '')}
      {word !== undefined && ` · ${word}`}
    </Link>
  );
}
