import { join } from 'node:path';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { askForTrust, runProjectScript } from '../../domain/worktree/decide.ts';
import { isTrustRequest } from '../../domain/worktree/trust-request.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { MergeAnswer, WorktreeLosses } from '../../protocol/api/worktree.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { WorktreeScripts } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { lossesOf } from './losses.ts';
import { isScriptTrusted, scriptsOf } from './make.ts';
import { type MergeAct, mergeWorktree } from './merge.ts';
import { type SavedFiles, saveFiles } from './save.ts';

/** What a person can do with a session's worktree. `force` is for owners; routes check the role. */
export type WorktreeAct =
  | { readonly type: 'setup' | 'restore' | 'run' }
  | { readonly type: 'remove' | 'archive'; readonly force?: boolean | undefined; readonly dryRun?: boolean | undefined }
  | MergeAct;

export type WorktreeAnswer = { readonly merged: MergeAnswer } | { readonly losses: WorktreeLosses } | { readonly done: true };

/** One act at a time for each worktree: a second click finds what the first one did. */
export const actOnWorktree = (context: EngineContext, sessionId: SessionId, act: WorktreeAct, actor: Actor): Promise<WorktreeAnswer | Refusal> =>
  context.worktreeActs.run(sessionId, () => actNow(context, sessionId, act, actor));

async function actNow(context: EngineContext, sessionId: SessionId, act: WorktreeAct, actor: Actor): Promise<WorktreeAnswer | Refusal> {
  const session = context.sessions.get(sessionId);
  const worktree = session?.state.worktree;
  if (session === undefined || worktree === undefined || session.state.deleted)
    return { refused: 'not-found', message: `Session ${sessionId} has no worktree.` };
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
  switch (act.type) {
    case 'setup':
      return retry(session, worktree, actor);
    case 'restore':
      return restore(session, worktree, actor);
    case 'run':
      return runScriptOf(session, worktree, actor);
    case 'merge': {
      const merged = await mergeWorktree(session, worktree, act, actor);
      return 'refused' in merged ? merged : { merged };
    }
    case 'remove':
    case 'archive':
      return remove(session, worktree, act, actor);
  }
}

function retry(session: SessionActor, { phase, worktreeId }: SessionWorktree, actor: Actor): WorktreeAnswer | Refusal {
  if (phase !== 'failed')
    return { refused: 'conflict', message: phase === 'made' ? 'The worktree is ready; there is nothing to retry.' : 'The worktree is being made.' };
  session.note((draft) => {
    draft.emit({ type: 'worktree.retried', worktreeId, actor });
    draft.effect({ type: 'worktree' });
  });
  return { done: true };
}

function restore(session: SessionActor, worktree: SessionWorktree, actor: Actor): WorktreeAnswer | Refusal {
  const { phase, worktreeId, repo, path, branch, base, baseCommit, devPort } = worktree;
  if (phase !== 'removed') return { refused: 'conflict', message: 'The worktree is still there; there is nothing to restore.' };
  session.note((draft) => {
    draft.emit({
      type: 'worktree.requested',
      worktreeId,
      repo,
      path,
      branch,
      base,
      baseCommit,
      restores: true,
      actor,
      ...(devPort !== undefined && { devPort }),
    });
    if (draft.state.meta.archived) draft.emit({ type: 'meta.changed', archived: false, actor });
    draft.effect({ type: 'worktree' });
  });
  return { done: true };
}

async function runScriptOf(session: SessionActor, worktree: SessionWorktree, actor: Actor): Promise<WorktreeAnswer | Refusal> {
  if (worktree.phase !== 'made') return { refused: 'conflict', message: 'The worktree is not ready.' };
  const scripts = await scriptsOf(session, worktree, worktree.path);
  if (scripts === undefined || 'words' in scripts)
    return { refused: 'not-found', message: scripts?.words ?? 'This project has no run script. Put one into .signalbox.json.' };
  const refused = trustOrAsk(session, worktree, 'run', scripts);
  if (refused !== undefined) return refused;
  session.note((draft) => runProjectScript(draft, 'run', scripts.run ?? '', actor));
  return { done: true };
}

/** Undefined when the script may run; otherwise there is a card in the inbox now. */
function trustOrAsk(session: SessionActor, worktree: SessionWorktree, kind: 'run' | 'archive', scripts: WorktreeScripts): Refusal | undefined {
  if (scripts[kind] === undefined) return { refused: 'not-found', message: `This project has no ${kind} script.` };
  if (isScriptTrusted(session, worktree, scripts)) return undefined;
  const isAsked = session.state.permissions.some(({ requestId, asked }) => isTrustRequest(requestId) && asked.agentRequestId === scripts.sha256);
  if (!isAsked) session.note((draft) => askForTrust(draft, kind, scripts));
  return {
    refused: 'conflict',
    message: `The ${kind} script, or a file it names, was not accepted by a person yet. There is a card in the inbox; accept it, then try again.`,
  };
}

async function remove(
  session: SessionActor,
  worktree: SessionWorktree,
  act: Extract<WorktreeAct, { type: 'remove' | 'archive' }>,
  actor: Actor,
): Promise<WorktreeAnswer | Refusal> {
  if (worktree.phase !== 'made' && worktree.phase !== 'failed')
    return {
      refused: 'conflict',
      message: worktree.phase === 'removed' ? 'The worktree is gone already.' : 'The worktree is changing right now. Try again in a moment.',
    };
  if (worktree.restores === true) return { refused: 'conflict', message: 'The worktree is not completely restored. Retry that first.' };
  const found = await lossesOf(session, worktree);
  if ('words' in found) return { refused: 'conflict', message: found.words };
  const { losses, summary, head } = found;
  if (act.dryRun === true) return { losses };
  if (losses.running.length > 0) return { refused: 'conflict', message: `${summary} Stop them first.`, details: losses };
  if (summary !== undefined && act.force !== true)
    return {
      refused: 'conflict',
      message: `${summary} Nothing was removed. An owner can remove it with force: everything is saved first and can be restored.`,
      details: losses,
    };
  const isArchive = act.type === 'archive';
  const scripts = isArchive ? await scriptsOf(session, worktree, worktree.path) : undefined;
  if (scripts !== undefined && 'words' in scripts) return { refused: 'conflict', message: scripts.words };
  const script = scripts?.archive;
  const refused = scripts === undefined || script === undefined ? undefined : trustOrAsk(session, worktree, 'archive', scripts);
  if (refused !== undefined) return refused;
  const saved: SavedFiles | Refusal =
    summary === undefined
      ? {}
      : await saveFiles(session, worktree, join(session.context.deps.settings.dataFolder, 'worktrees', `${worktree.worktreeId}-${session.state.seq}`));
  if (isRefusal(saved)) return saved;
  if (session.state.worktree !== worktree) return { refused: 'conflict', message: 'The worktree changed in the meantime. Nothing was removed.' };
  session.note((draft) => {
    draft.emit({
      type: 'worktree.removing',
      worktreeId: worktree.worktreeId,
      archive: isArchive,
      forced: summary !== undefined,
      head,
      ...saved,
      actor,
      ...(script !== undefined && { script: true }),
    });
    if (script === undefined) draft.effect({ type: 'worktree' });
    else runProjectScript(draft, 'archive', script, actor);
  });
  return { done: true };
}
