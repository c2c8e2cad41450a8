import type { Engine } from '../../engine/engine.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { GitAct } from '../../protocol/git.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { Log } from '../shared/log.ts';

/** Somebody who tries again and again gets one line for this long, so that nobody can fill the journal. */
const ONE_LINE_MS = 60_000;

/** Keeps that somebody who may not act with git tried to: one line in the session and in the audit. */
export function createRefusedActs(engine: Pick<Engine, 'submit' | 'finish'>, log: Log, now: () => number) {
  const noted = new Map<string, number>();
  return (sessionId: SessionId, act: GitAct, actor: Actor, why: string): void => {
    if (engine.finish(sessionId) === undefined) return;
    const key = `${sessionId} ${act} ${actor.kind} ${actor.id}`;
    for (const [known, at] of noted) if (now() - at >= ONE_LINE_MS) noted.delete(known);
    if (noted.has(key)) return;
    noted.set(key, now());
    const commandId = `git-refused:${now()}:${act}:${actor.id}`.slice(0, 200) as CommandId;
    engine
      .submit({ type: 'git.record', commandId, sessionId, target: commandId, act, ok: false, message: why }, actor)
      .catch((error: unknown) => log.error({ error }, 'could not note a refused git act'));
  };
}

export type RefusedActs = ReturnType<typeof createRefusedActs>;
