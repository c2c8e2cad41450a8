import { SCRIPT_AGENT } from '../../agents/index.ts';
import { outcomeOf, runningScripts, scriptOf } from '../../domain/script/scripts.ts';
import type { ScriptEnd, ScriptRun } from '../../domain/session/state.ts';
import { afterScript } from '../../domain/worktree/decide.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import { type Command, isRefusal } from '../../protocol/command.ts';
import { type CommandId, isScriptSession, type ScriptId, type SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { SessionActor } from '../loop/session-actor.ts';

export const START_SCRIPTS = 'start scripts';

/** Gives a script that was decided its session. Safe to repeat after every start: the command id makes it happen once. */
export async function startScript(parent: SessionActor, scriptId: ScriptId): Promise<void> {
  const { context } = parent;
  const run = scriptOf(parent.state, scriptId);
  if (run === undefined || run.ended !== undefined || parent.state.deleted) return;
  const session = context.sessions.get(run.sessionId);
  if (session !== undefined) return reportToParent(session);
  const answer = await context.submitOwn(creationOf(parent, run), run.by ?? SYSTEM);
  if (!isRefusal(answer) || answer.refused === 'shutting-down') return;
  if (answer.refused === 'disk-low') throw new Error(answer.message);
  end(parent, run, { code: null, signal: null, durationMs: 0, tail: '', message: answer.message });
}

function creationOf({ state }: SessionActor, { scriptId, sessionId, seq, command, argv, cwd, env }: ScriptRun): Command {
  return {
    type: 'session.create',
    commandId: `script:${scriptId}` as CommandId,
    sessionId,
    agent: SCRIPT_AGENT.id,
    cwd,
    options: { flags: [...argv], ...(env !== undefined && { env: { ...env } }) },
    title: command.slice(0, LIMITS.titleChars),
    prompt: command,
    parent: { sessionId: state.id, seq },
  };
}

/** Stores on the parent's stream how its script came out, once that can no longer change. */
export function reportToParent({ context, state }: SessionActor): void {
  const outcome = outcomeOf(state);
  const parent = context.sessions.get(state.born?.parent?.sessionId as SessionId);
  if (outcome === undefined || parent === undefined) return;
  parent.retryUntilDone('keep how scripts ended', async () => {
    const run = runningScripts(parent.state).find(({ sessionId }) => sessionId === state.id);
    if (run !== undefined) end(parent, run, outcome);
  });
}

function end(parent: SessionActor, run: ScriptRun, ended: ScriptEnd): void {
  const { scriptId, kind } = run;
  const { code, signal, durationMs, tail, message } = ended;
  if (parent.state.deleted) return;
  parent.note((draft) => {
    draft.emit({
      type: 'script.ended',
      scriptId,
      kind,
      code,
      signal,
      durationMs,
      ...(tail !== '' && { tail }),
      ...(message !== undefined && { message }),
      actor: SYSTEM,
    });
    afterScript(draft, run, ended);
  });
}

/** Nothing keeps running for a session that is gone. */
export async function deleteScriptsOf({ context, state }: SessionActor): Promise<void> {
  const scripts = [...context.sessions.values()].filter((one) => isScriptSession(one.state.id) && one.state.born?.parent?.sessionId === state.id);
  for (const { state: script } of scripts) {
    await context.submitOwn({ type: 'session.delete', sessionId: script.id, commandId: `delete:${script.id}` as CommandId }, SYSTEM);
  }
}
