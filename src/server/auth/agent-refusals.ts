import { randomUUID } from 'node:crypto';
import type { Engine } from '../../engine/engine.ts';
import type { Problems } from '../../problems/problems.ts';
import type { Actor } from '../../protocol/actor.ts';
import { CommandId, type RunId } from '../../protocol/ids.ts';

export interface AgentRefusals {
  note(run: RunId, what: string): void;
}

/** An agent that keeps trying must not fill the journal: after this many, the audit has seen enough of that run. */
const NOTED_PER_RUN = 100;
const KNOWN_RUNS = 1000;

/** What agents tried with their tokens and may not do, one line each in the audit. */
export function createAgentRefusals(engine: Pick<Engine, 'sessionOfRun' | 'session' | 'submit'>, problems: Problems): AgentRefusals {
  const noted = new Map<RunId, number>();
  return {
    note(run, what) {
      const sessionId = engine.sessionOfRun(run);
      const session = sessionId === undefined ? undefined : engine.session(sessionId);
      const count = (noted.get(run) ?? 0) + 1;
      if (session === undefined || count > NOTED_PER_RUN) return;
      if (noted.size > KNOWN_RUNS) noted.clear();
      noted.set(run, count);
      const actor: Actor = { kind: 'agent', id: session.agent, name: session.agent, from: 'token' };
      const command = { type: 'agent.refuse', commandId: CommandId.parse(randomUUID()), sessionId: session.id, run, what } as const;
      engine.submit(command, actor).catch((error: unknown) => problems.failed('note what agents were refused', error, session.id));
    },
  };
}
