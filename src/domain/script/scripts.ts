import type { Actor } from '../../protocol/actor.ts';
import type { EventBodyOf, EventOf } from '../../protocol/event.ts';
import { type ScriptId, scriptSessionOf } from '../../protocol/ids.ts';
import type { Draft } from '../session/draft.ts';
import type { ScriptEnd, ScriptRun, SessionState } from '../session/state.ts';
import { waitsForSlot } from '../session/status.ts';

/** Enough to answer a caller that asks again after a restart; small enough for a snapshot. Running ones are always kept. */
const ENDED_KEPT = 10;

/** `argv` is run as it is, without a shell; `env` adds to the server's environment and must hold no secrets, because events store it. */
export interface ScriptRequest extends Pick<EventBodyOf<'script.started'>, 'scriptId' | 'kind' | 'command' | 'cwd'> {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly actor: Actor;
}

/** Decides to run a script, in the same transaction as the rest of the draft. */
export function startScript(draft: Draft, { scriptId, kind, command, argv, cwd, env, actor }: ScriptRequest): void {
  const sessionId = scriptSessionOf(scriptId);
  draft.emit({ type: 'script.started', scriptId, kind, command, argv: [...argv], cwd, sessionId, actor, ...(env !== undefined && { env: { ...env } }) });
  draft.effect({ type: 'start-script', scriptId });
}

export function scriptStarted(state: SessionState, event: EventOf<'script.started'>): SessionState {
  const { scriptId, kind, command, argv, cwd, env, sessionId, seq, at, actor } = event;
  const run: ScriptRun = {
    scriptId,
    kind,
    command,
    argv,
    cwd,
    sessionId,
    seq,
    at,
    ...(env !== undefined && { env }),
    ...(actor !== undefined && { by: actor }),
  };
  return { ...state, scripts: [...(state.scripts ?? []), run] };
}

export function scriptEnded(state: SessionState, event: EventOf<'script.ended'>): SessionState {
  const { code, signal, durationMs, tail = '', message } = event;
  const ended: ScriptEnd = { code, signal, durationMs, tail, ...(message !== undefined && { message }) };
  const scripts = (state.scripts ?? []).map((run) => (run.scriptId === event.scriptId ? { ...run, ended } : run));
  const over = scripts.filter((run) => run.ended !== undefined);
  const forgotten = new Set(over.slice(0, Math.max(0, over.length - ENDED_KEPT)));
  return { ...state, scripts: scripts.filter((run) => !forgotten.has(run)) };
}

export const scriptOf = ({ scripts }: SessionState, id: ScriptId): ScriptRun | undefined => scripts?.find(({ scriptId }) => scriptId === id);

export const runningScripts = ({ scripts }: SessionState): readonly ScriptRun[] => (scripts ?? []).filter(({ ended }) => ended === undefined);

/** Dev servers that somebody started. */
export const runScripts = (state: SessionState): readonly ScriptRun[] => runningScripts(state).filter(({ kind }) => kind === 'run');

/** How a script's own session came out; undefined while that can still change. */
export function outcomeOf(script: SessionState): ScriptEnd | undefined {
  if (script.born === null || script.run.phase !== 'none' || waitsForSlot(script)) return undefined;
  if (script.command !== undefined) return script.command;
  const { status } = script.status;
  if (!script.deleted && status !== 'ended' && status !== 'failed') return undefined;
  return { code: null, signal: null, durationMs: 0, tail: '', message: script.hasHistory ? INTERRUPTED : status === 'failed' ? NO_PROGRAM : NOT_STARTED };
}

const INTERRUPTED = 'the process that ran it was killed. Parts of it may be done; nothing was repeated';
const NO_PROGRAM = 'the program that runs scripts could not be started; the script’s own session says why';
const NOT_STARTED = 'it was stopped before it started';
