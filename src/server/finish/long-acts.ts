import { createHash } from 'node:crypto';
import type { RunningAct } from '../../domain/finish/finish-state.ts';
import type { ScriptEnd } from '../../domain/session/state.ts';
import { finishStatus } from '../../git/finish-status.ts';
import { lockProblem, waitForIndex } from '../../git/index-lock.ts';
import { commitCommand, commitNow, type LongCommand, pushCommand, pushTarget, remoteCommit } from '../../git/long-acts.ts';
import { runGit } from '../../git/run-git.ts';
import type { ActPlace } from '../../git/stage.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { PushBody } from '../../protocol/api/finish.ts';
import { type CommandOf, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { LongAct } from '../../protocol/git.ts';
import type { CommandId, ScriptId, SessionId } from '../../protocol/ids.ts';
import { type Acting, actPlace, earlier, type FinishContext, repositoryFor, stateOf } from './finish-context.ts';

/** A long act that was decided: its output is the session of its script. */
export interface Started {
  readonly commandId: CommandId;
  readonly act: LongAct;
  readonly scriptId: ScriptId;
}

export const commit = (context: FinishContext, acting: Acting, message: string): Promise<Started | Refusal> =>
  startAct(context, acting, 'commit', async ({ read, act }) => {
    const status = await finishStatus(read, context.allowedRoots);
    if ('words' in status) return { refused: 'conflict', message: status.words };
    if (status.conflicts > 0) return { refused: 'conflict', message: 'Some files have conflicts. Resolve and stage them, then commit.' };
    const merging = await runGit(read, ['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], 256);
    if (status.staged.length + status.stagedElsewhere === 0 && !merging.ok)
      return { refused: 'conflict', message: 'Nothing is staged. Stage what you want to commit.' };
    const locked = await waitForIndex(read);
    if (locked !== undefined) return locked;
    return { script: await commitCommand(act, message), ...(status.head !== undefined && { head: status.head }) };
  });

export const push = (context: FinishContext, acting: Acting, body: PushBody): Promise<Started | Refusal> =>
  startAct(context, acting, 'push', async ({ read, act }) => {
    const status = await finishStatus(read, context.allowedRoots);
    if ('words' in status) return { refused: 'conflict', message: status.words };
    if (status.head === undefined) return { refused: 'conflict', message: 'There is nothing to push: nothing is committed yet.' };
    const target = await pushTarget(read, status, body);
    if (isRefusal(target)) return target;
    return { script: await pushCommand(act, status, target, body.overwrite?.expected), head: status.head, ...target };
  });

type Decided = Pick<CommandOf<'git.start'>, 'head' | 'remote' | 'branch'> & { readonly script: LongCommand };

async function startAct(
  context: FinishContext,
  acting: Acting,
  act: LongAct,
  prepare: (place: ActPlace) => Promise<Decided | Refusal>,
): Promise<Started | Refusal> {
  const { session, actor, commandId } = acting;
  const scriptId = scriptIdOf(session.id, commandId);
  return context.queues.run(session.cwd, async () => {
    const known = stateOf(context, session.id)?.running;
    if (known?.commandId === commandId) return { commandId, act: known.act, scriptId };
    const before = earlier(context, acting, act);
    if (before !== undefined) return isRefusal(before) ? before : { commandId, act, scriptId };
    const place = await actPlace(context, session);
    if (isRefusal(place)) return place;
    const decided = await prepare(place);
    if (isRefusal(decided)) return decided;
    const { script, ...where } = decided;
    const receipt = await context.engine.submit({ type: 'git.start', commandId, sessionId: session.id, act, script: { scriptId, ...script }, ...where }, actor);
    if (isRefusal(receipt)) return receipt;
    concludeLater(context, session.id);
    return { commandId, act, scriptId };
  });
}

/** The same command always has the same script, so it runs once whichever server is asked. */
const scriptIdOf = (sessionId: SessionId, commandId: CommandId): ScriptId =>
  `git-${createHash('sha256').update(`${sessionId} ${commandId}`).digest('hex').slice(0, 32)}` as ScriptId;

/** Picks up the acts of an earlier server: they went on, or ended, without it. */
export function resumeActs(context: FinishContext): void {
  for (const { id } of context.engine.sessions()) if (stateOf(context, id)?.running != null) concludeLater(context, id);
}

function concludeLater(context: FinishContext, id: SessionId): void {
  const what = 'find out how git acts ended';
  const again = (): void => {
    conclude(context, id).then(
      () => context.problems.worked(what, id),
      (error: unknown) => {
        context.problems.failed(what, error, id);
        context.problems.after(what, 5_000, again).unref();
      },
    );
  };
  again();
}

/** Waits for the act's process, then looks at what is really there: an exit code is only what git last managed to say. */
async function conclude(context: FinishContext, id: SessionId): Promise<void> {
  const { engine } = context;
  const session = engine.session(id);
  const running = stateOf(context, id)?.running;
  if (session === undefined || running == null) return;
  const actor = running.by ?? SYSTEM;
  const end = await engine.runScript(id, { scriptId: running.scriptId, kind: 'git', command: running.act, argv: [], cwd: session.cwd, actor });
  if (isRefusal(end)) {
    if (end.refused === 'shutting-down' || end.refused === 'not-found') return;
    throw new Error(end.message);
  }
  const outcome = running.act === 'commit' ? await commitOutcome(context, id, running, end) : await pushOutcome(context, id, running, end);
  const { commandId: target, act, scriptId } = running;
  const commandId = `git-done:${scriptId}` as CommandId;
  const receipt = await engine.submit({ type: 'git.record', commandId, sessionId: id, target, act, scriptId, ...outcome }, actor);
  if (isRefusal(receipt) && receipt.refused !== 'shutting-down') throw new Error(receipt.message);
}

type Outcome = Pick<CommandOf<'git.record'>, 'ok' | 'commit' | 'remote' | 'branch' | 'message'>;

/** The end of what git and its hooks printed; the script's session has all of it. */
const SHOWN_CHARS = 4000;

async function commitOutcome(context: FinishContext, id: SessionId, { head }: RunningAct, end: ScriptEnd): Promise<Outcome> {
  const session = context.engine.session(id);
  const place = session === undefined ? undefined : await repositoryFor(context, session);
  if (place === undefined || isRefusal(place)) return { ok: end.code === 0, message: failureOf(end) };
  const now = await commitNow(place);
  const isNew = now !== undefined && now.commit !== head && (head === null ? now.parents.length === 0 : now.parents.includes(head));
  if (isNew) return { ok: true, commit: now.commit };
  // Somebody committed on top of it meanwhile.
  if (end.code === 0) return { ok: true, ...(now !== undefined && { commit: now.commit }) };
  const locked = await lockProblem(place);
  return { ok: false, message: [failureOf(end), ...(locked === undefined ? [] : [locked])].join('\n') };
}

async function pushOutcome(context: FinishContext, id: SessionId, { head, remote, branch }: RunningAct, end: ScriptEnd): Promise<Outcome> {
  const session = context.engine.session(id);
  const place = session === undefined ? undefined : await repositoryFor(context, session);
  const where = { ...(remote !== null && { remote }), ...(branch !== null && { branch }) };
  if (place === undefined || isRefusal(place) || remote === null || branch === null) return { ok: end.code === 0, ...where, message: failureOf(end) };
  const found = await remoteCommit({ cwd: place.cwd, env: context.env }, { remote, branch });
  if (head !== null && found === head) return { ok: true, commit: head, ...where };
  if (end.code !== 0) return { ok: false, ...where, message: failureOf(end) };
  if (typeof found === 'string') return { ok: true, commit: found, ...where };
  return { ok: true, ...where, message: 'git reported success, but the remote could not be asked to confirm it.' };
}

function failureOf({ code, signal, tail, message }: ScriptEnd): string {
  const how = message ?? (signal === null ? `git ended with exit code ${code}.` : `git was ended by ${signal}.`);
  const printed = tail.trim().slice(-SHOWN_CHARS);
  return printed === '' ? how : `${printed}\n${how}`;
}
