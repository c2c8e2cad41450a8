import { createInterface } from 'node:readline';
import { AGENTS } from '../../../src/agents/index.ts';
import type { WorktreeAct } from '../../../src/engine/worktrees/act.ts';
import { createCheckpoints } from '../../../src/git/checkpoints.ts';
import type { Command, WorkspaceCommand } from '../../../src/protocol/command.ts';
import type { AgentId, SessionId } from '../../../src/protocol/ids.ts';
import type { PlanCommand, PlanId } from '../../../src/protocol/plan.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../stand-in-adapter/index.ts';
import { openTestEngine } from './open-test-engine.ts';
import { createRecordsPort } from './records-port.ts';

// An engine in its own process, so that it can be killed. One question per line in, one answer per line out.
export interface Question {
  readonly id: number;
  readonly submit?: Command;
  readonly events?: SessionId;
  readonly past?: SessionId;
  readonly session?: SessionId;
  readonly grown?: { readonly agent: AgentId; readonly agentSessionId: string };
  readonly holders?: true;
  readonly workspace?: WorkspaceCommand;
  readonly act?: { readonly session: SessionId; readonly what: WorktreeAct };
  readonly drain?: true;
  readonly plan?: PlanCommand;
  readonly planState?: PlanId;
}

const [dataDir = '', home = '', root = ''] = process.argv.slice(2);
const env = { ...process.env, HOME: home } as Record<string, string>;
const archives = new Map(AGENTS.flatMap((agent) => (agent.archive === undefined ? [] : [[agent.id, agent.archive] as const])));
const past = createRecordsPort(archives, () => env, 2);
const adapters = env[STAND_IN_VARIABLE] === undefined ? AGENTS : [standInAdapter];
const openCheckpoints = async () => createCheckpoints(dataDir);
const { engine } = await openTestEngine(dataDir, home, root, { past, env, adapters, openCheckpoints, limits: { reserveBytes: 0 } });

createInterface(process.stdin).on('line', async (line) => {
  const question = JSON.parse(line) as Question;
  process.stdout.write(`${JSON.stringify({ id: question.id, answer: (await answer(question)) ?? null })}\n`);
});
process.stdout.write('ready\n');

const ADA = { kind: 'person', id: 'ada', name: 'Ada' } as const;

async function answer({ submit, events, session, grown, past: id, holders, drain, workspace, act, plan, planState }: Question): Promise<unknown> {
  if (submit !== undefined) return engine.submit(submit, ADA);
  if (plan !== undefined) return engine.plan(plan, ADA);
  if (planState !== undefined) return engine.planState(planState);
  if (workspace !== undefined) return engine.workspace(workspace, ADA);
  if (act !== undefined) return engine.actOnWorktree(act.session, act.what, ADA);
  if (events !== undefined) return engine.events(events, { after: 0, limit: 100_000 });
  if (id !== undefined) return past.events(id, { after: 0, limit: 100_000 });
  if (session !== undefined) return engine.session(session);
  if (holders) return engine.holders();
  if (drain) return engine.drain();
  if (grown === undefined) return undefined;
  engine.recordGrown(grown.agent, grown.agentSessionId);
  return engine.drain();
}
