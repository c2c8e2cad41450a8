import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { EventBodyOf, WorktreeScripts } from '../../protocol/event.ts';
import type { ItemId, RequestId, ScriptId } from '../../protocol/ids.ts';
import { startScript } from '../script/scripts.ts';
import { advance, openRun } from '../session/advance.ts';
import type { Draft } from '../session/draft.ts';
import type { OpenPermission, ScriptEnd, ScriptRun, SessionState, SessionWorktree } from '../session/state.ts';

import { isTrustRequest, SCRIPT_NAMES, TRUST_REQUEST } from './trust-request.ts';

/** A failed script shows this much of the end of its output. */
const TAIL_LINES = 12;

export type WorktreePlan = Omit<EventBodyOf<'worktree.requested'>, 'type' | 'actor'>;

/** Decides on a worktree; the effect makes it. The session starts once it is there. */
export function requestWorktree(draft: Draft, plan: WorktreePlan): void {
  draft.emit({ type: 'worktree.requested', ...plan });
  draft.effect({ type: 'worktree' });
  draft.show('starting', 'worktree.requested');
}

/** Whether the session must wait with its agent, because its files are not there. */
export const waitsForWorktree = ({ worktree }: SessionState): boolean => worktree !== undefined && worktree.phase !== 'made';

/** Whether something happens to the worktree by itself. */
export const isMaking = ({ worktree }: SessionState): boolean => worktree !== undefined && (worktree.phase === 'adding' || worktree.phase === 'prepared');

export function worktreeRefusal({ worktree }: SessionState): Refusal | undefined {
  if (worktree?.phase === 'removed')
    return {
      refused: 'conflict',
      message: `The worktree of this session was removed. Restore it on the Worktrees page, or with: signalbox worktrees restore ${worktree.worktreeId}`,
    };
  if (worktree?.phase === 'removing') return { refused: 'conflict', message: 'The worktree of this session is being removed.' };
  return undefined;
}

type Prepared = Omit<EventBodyOf<'worktree.prepared'>, 'type' | 'worktreeId' | 'actor'>;

/** The files are there. Next comes the setup script, a question about it, or the agent. */
export function worktreePrepared(draft: Draft, prepared: Prepared, isTrusted: boolean): void {
  const { worktree } = draft.state;
  if (worktree === undefined) return;
  draft.emit({ type: 'worktree.prepared', worktreeId: worktree.worktreeId, ...prepared, actor: SYSTEM });
  const { scripts } = prepared;
  if (scripts?.setup === undefined || worktree.restores === true) return worktreeMade(draft);
  if (!isTrusted) return askForTrust(draft, 'setup', scripts);
  runProjectScript(draft, 'setup', scripts.setup, worktree.by ?? SYSTEM);
}

export function worktreeMade(draft: Draft): void {
  const { worktree } = draft.state;
  if (worktree?.prepared === undefined) return;
  const { head, copied } = worktree.prepared;
  draft.emit({ type: 'worktree.made', worktreeId: worktree.worktreeId, head, copied, actor: SYSTEM });
  const wasStopped = draft.state.status.status === 'ended';
  const hasRun = draft.state.hasHistory;
  if (!wasStopped && !hasRun && draft.state.run.phase === 'none' && draft.now.hasFreeSlot) openRun(draft, 'worktree.made');
  if (!wasStopped) advance(draft, 'session.create');
  if (draft.state.run.phase === 'none' && draft.state.status.status === 'starting' && draft.state.queue.length === 0) draft.show('sleeping', 'worktree.made');
}

export function worktreeFailed(draft: Draft, step: EventBodyOf<'worktree.failed'>['step'], message: string): void {
  const { worktree } = draft.state;
  if (worktree === undefined) return;
  draft.emit({ type: 'worktree.failed', worktreeId: worktree.worktreeId, step, message, actor: SYSTEM });
  if (waitsForWorktree(draft.state) && draft.state.run.phase === 'none') draft.show('failed', 'worktree.failed');
}

/** Every run of a project's script has an id of its own, so that Retry runs it again. */
export function runProjectScript(draft: Draft, kind: 'setup' | 'run' | 'archive', text: string, actor: Actor): void {
  const { worktree } = draft.state;
  if (worktree === undefined) return;
  startScript(draft, {
    scriptId: `${worktree.worktreeId}-${kind}-${draft.state.seq + 1}` as ScriptId,
    kind,
    command: text,
    argv: ['/bin/sh', '-c', text],
    cwd: worktree.path,
    env: variablesOf(worktree),
    actor,
  });
}

const variablesOf = ({ path, repo, branch, devPort }: SessionWorktree): Readonly<Record<string, string>> => ({
  SIGNALBOX_WORKTREE: path,
  SIGNALBOX_REPOSITORY: repo,
  SIGNALBOX_BRANCH: branch,
  ...(devPort !== undefined && { SIGNALBOX_DEV_PORT: String(devPort) }),
});

/** One of git's own steps, detached: it finishes even if this server doesn't. */
export function runGitStep(draft: Draft, step: 'add' | 'remove', argv: readonly string[]): void {
  const { worktree } = draft.state;
  if (worktree === undefined) return;
  const scriptId = `${worktree.worktreeId}-${step}-${draft.state.seq + 1}` as ScriptId;
  const actor = (step === 'remove' ? worktree.removal?.by : worktree.by) ?? SYSTEM;
  startScript(draft, {
    scriptId,
    kind: 'git',
    command: `git worktree ${step} ${worktree.branch}`,
    argv,
    cwd: worktree.repo,
    env: { GIT_TERMINAL_PROMPT: '0' },
    actor,
  });
}

/** What follows from the end of a script of this session's worktree. */
export function afterScript(draft: Draft, run: ScriptRun, end: ScriptEnd): void {
  const { worktree } = draft.state;
  if (worktree === undefined || !run.scriptId.startsWith(`${worktree.worktreeId}-`)) return;
  if (run.kind === 'git') return draft.effect({ type: 'worktree' });
  if (run.kind === 'setup' && worktree.phase === 'prepared') return end.code === 0 ? worktreeMade(draft) : worktreeFailed(draft, 'setup', endText(end));
  if (run.kind !== 'archive' || worktree.phase !== 'removing') return;
  if (end.code === 0) draft.effect({ type: 'worktree' });
  else worktreeFailed(draft, 'archive', endText(end));
}

/** How a script failed, with the last lines that it printed. */
export function endText({ code, signal, tail, message }: ScriptEnd): string {
  const how = code !== null ? `exit code ${code}` : (signal ?? message ?? 'its end was not seen');
  const lines = tail.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  return lines === '' ? how : `${how}\n${lines}`;
}

/** Puts a card with the exact text into the inbox. */
export function askForTrust(draft: Draft, kind: 'setup' | 'run' | 'archive', scripts: WorktreeScripts): void {
  const { worktree } = draft.state;
  const text = scripts[kind];
  if (worktree === undefined || text === undefined) return;
  const requestId = `${TRUST_REQUEST}${worktree.worktreeId}:${draft.state.seq + 1}` as RequestId;
  const { setup, run, archive, sha256, files } = scripts;
  draft.emit({
    type: 'permission.requested',
    requestId,
    agentRequestId: sha256,
    tool: SCRIPT_NAMES[kind],
    title: `The repository ${worktree.repo} wants to run its ${kind} script`,
    input: { command: text, repository: worktree.repo, ...(files.length > 0 && { files }), scripts: { setup, run, archive } },
    kind: 'tool',
    subject: { kind: 'command', command: text, field: 'command' },
    itemId: requestId as string as ItemId,
    actor: SYSTEM,
  });
}

/** Hooks and settings of a repository that git would run as the person, and that changed since an agent worked there. */
export interface ChangedHooks {
  readonly sha256: string;
  readonly changes: readonly { readonly name: string; readonly text: string }[];
}

/** Puts a card with their exact text into the inbox, unless it is there. */
export function askForHooks(draft: Draft, { sha256, changes }: ChangedHooks): void {
  const { worktree, permissions } = draft.state;
  if (worktree === undefined || permissions.some(({ requestId, asked }) => isTrustRequest(requestId) && asked.agentRequestId === sha256)) return;
  const text = changes.map((change) => `# ${change.name}\n${change.text.trimEnd()}`).join('\n\n');
  const requestId = `${TRUST_REQUEST}${worktree.worktreeId}:${draft.state.seq + 1}` as RequestId;
  draft.emit({
    type: 'permission.requested',
    requestId,
    agentRequestId: sha256,
    tool: SCRIPT_NAMES.hooks,
    title: `Git hooks or settings of ${worktree.repo} changed since an agent worked there`,
    input: { command: text, repository: worktree.repo },
    kind: 'tool',
    subject: { kind: 'command', command: text, field: 'command' },
    itemId: requestId as string as ItemId,
    actor: SYSTEM,
  });
}

/** A person accepted a script, for this session at least, or declined it. */
export function answerTrust(draft: Draft, { requestId, asked }: OpenPermission, command: CommandOf<'permission.answer'>): Refusal | undefined {
  const { behavior, message, remember, updatedInput, interrupt } = command;
  if (updatedInput !== undefined || interrupt !== undefined || remember?.suggestions !== undefined || remember?.rule !== undefined)
    return {
      refused: 'bad-request',
      message: 'A script is accepted or declined as it is, for this session or ("remember": {"scope": "project"}) for the repository.',
    };
  draft.emit({
    type: 'permission.resolved',
    requestId,
    outcome: behavior === 'allow' ? 'allowed' : 'denied',
    behavior,
    commandId: command.commandId,
    ...(message !== undefined && { message }),
    ...(remember !== undefined && { remember }),
  });
  const text = asked.input.command;
  if (asked.tool === SCRIPT_NAMES.setup && draft.state.worktree?.phase === 'prepared') {
    if (behavior === 'deny') worktreeFailed(draft, 'setup', 'it was declined. Retry setup asks again.');
    else if (typeof text === 'string') runProjectScript(draft, 'setup', text, draft.now.actor ?? SYSTEM);
  }
  if (asked.tool === SCRIPT_NAMES.hooks && draft.state.worktree?.phase === 'adding') {
    if (behavior === 'deny') worktreeFailed(draft, 'add', 'the changed git hooks or settings were declined. Retry setup asks again.');
    else draft.effect({ type: 'worktree' });
  }
  return undefined;
}
