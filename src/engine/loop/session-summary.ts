import { basename } from 'node:path';
import { projectIdOf } from '../../agents/port/project-id.ts';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { summarize } from '../../domain/session/summary.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import { isScriptSession } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { resetPreference } from '../continue/at-reset.ts';
import { placeInLine } from '../slots/live-slots.ts';
import { shownState } from '../worktrees/list.ts';
import type { SessionActor } from './session-actor.ts';

export function sessionSummary(session: SessionActor): Session | undefined {
  const cwd = session.state.born?.cwd ?? '';
  const { hostname, platform } = session.context.deps.machine;
  const { pid, rssBytes } = session.run ?? {};
  const atReset = session.state.limit === null ? undefined : resetPreference(session);
  const line = placeInLine(session.context, session);
  const record = session.state.base > 0 ? session.context.deps.past?.facts(session.state.id) : undefined;
  const summary = summarize(session.state, {
    projectId: projectIdOf(cwd),
    project: basename(cwd) || cwd,
    hostname,
    platform,
    ...(pid !== undefined && { pid }),
    ...(rssBytes !== undefined && { rssBytes }),
    ...(session.ports.length > 0 && { ports: [...session.ports] }),
    ...(atReset?.choice === 'on' && { atReset: atReset.scope.kind }),
    ...(line !== undefined && { line }),
    ...(record !== undefined && { record }),
    isPolled: session.context.pollers.has(session.state.id),
  });
  const { worktree } = session.state;
  if (summary !== undefined && worktree !== undefined) return { ...summary, ...ofWorktree(worktree, summary) };
  return summary && isScriptSession(summary.id) ? asPrivateAsParent(session, summary) : summary;
}

/** A session in a worktree belongs to the project of its repository. */
function ofWorktree(worktree: SessionWorktree, { waiting }: Session): Pick<Session, 'projectId' | 'project' | 'worktree'> {
  const { worktreeId: id, repo, path, branch, base, problem, devPort } = worktree;
  const shown = {
    id,
    repo,
    path,
    branch,
    base,
    state: shownState(worktree, waiting > 0),
    ...(problem !== undefined && { problem }),
    ...(devPort !== undefined && { devPort }),
  };
  return { projectId: projectIdOf(repo), project: basename(repo), worktree: shown };
}

/** Whoever can't see a session can't see what ran for it either. */
function asPrivateAsParent({ context }: SessionActor, script: Session): Session {
  const parent = script.parent === undefined ? undefined : context.sessions.get(script.parent.sessionId)?.state;
  if (parent?.born == null || !parent.meta.closed) return script;
  return { ...script, closed: true, ownerId: parent.born.ownerId ?? parent.born.owner };
}

export function waitingIn(session: SessionActor): readonly WaitingPermission[] {
  const summary = session.summary();
  if (summary === undefined) return [];
  return session.state.permissions.map(({ requestId, seq, at, asked }) => {
    const { agentRequestId: _, ...shown } = asked;
    return { ...shown, requestId, seq, at, sessionId: summary.id, sessionTitle: summary.title, agent: summary.agent, cwd: summary.cwd };
  });
}
