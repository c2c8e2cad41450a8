import { gateEvent, isMerged } from '../../domain/plan/next.ts';
import type { Attempt, PlanNodeState } from '../../protocol/api/plan.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { ScriptId } from '../../protocol/ids.ts';
import { planCommandId, sessionOfNode } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { KeyedQueues } from '../loop/keyed-queues.ts';
import { runScript } from '../scripts/run-script.ts';
import { creationOf } from './create-session.ts';
import { mergeNode } from './merge-node.ts';
import type { PlanActor } from './plan-actor.ts';
import { reviewNode } from './review-node.ts';
import { inputStep, isPassing } from './submit.ts';

export type ReadText = (text: string, sha256: string | undefined) => string;

/** What is due outside the plan for an attempt; undefined if nothing is. Resolves with whether the plan should be looked at again. Safe to repeat. */
export function actOn(
  context: EngineContext,
  queues: KeyedQueues,
  plan: PlanActor,
  node: PlanNodeState,
  attempt: Attempt,
  read: ReadText,
): Promise<boolean> | undefined {
  if (plan.state.status === 'cancelled' || isTimeUp(plan, node)) return interrupt(context, plan, node, attempt);
  if (node.status !== 'running' || plan.state.gates.some((gate) => gate.node === node.id)) return undefined;
  if (attempt.phase === 'running') return deliver(context, plan, node, attempt, read);
  if (attempt.phase === 'reported' && node.verify !== undefined) return verify(context, plan, node, attempt);
  if ((attempt.phase === 'verified' || attempt.phase === 'reported') && isMerged(plan.state, node)) return mergeNode(context, queues, plan, node, attempt);
  return undefined;
}

const isTimeUp = ({ state }: PlanActor, { id }: PlanNodeState): boolean => state.gates.some(({ node, why }) => node === id && why === 'time');

/** Whoever is working stops: the plan is over, or the step has used its time. */
function interrupt(
  { sessions, submitOwn, deps }: EngineContext,
  plan: PlanActor,
  node: PlanNodeState,
  { n, sessionId }: Attempt,
): Promise<boolean> | undefined {
  const session = sessions.get(sessionId);
  if (session === undefined || session.state.deleted || session.state.turn.phase !== 'running') return undefined;
  const commandId = planCommandId(plan.id, node.id, n, `stop${plan.state.status === 'cancelled' ? '' : plan.state.gateCount}`);
  if (deps.journal.receipt(commandId) !== undefined) return undefined;
  return submitOwn({ type: 'turn.interrupt', commandId, sessionId }, plan.actor).then(() => false);
}

/** The session and its messages, as far as they are missing. */
function deliver(context: EngineContext, plan: PlanActor, node: PlanNodeState, attempt: Attempt, read: ReadText): Promise<boolean> | undefined {
  const input = attempt.inputs.at(-1);
  if (input === undefined) return undefined;
  const isNew = input.n === 1;
  // Its session was there, and is gone: nothing is sent a second time.
  if (isNew && attempt.turnSeq > 0) return undefined;
  const commandId = planCommandId(plan.id, node.id, attempt.n, inputStep(input.n));
  if (context.deps.journal.receipt(commandId) !== undefined) return undefined;
  const text = read(input.text, input.blob?.sha256);
  const command = async (): Promise<Command | Refusal> =>
    isNew ? creationOf(plan.state, node, attempt, text) : { type: 'input.send', commandId, sessionId: attempt.sessionId, text, mode: 'queue', resume: true };
  return submit(context, plan, node, command);
}

async function submit(context: EngineContext, plan: PlanActor, node: PlanNodeState, make: () => Promise<Command | Refusal>): Promise<boolean> {
  const command = await make();
  const answer = isRefusal(command) ? command : await context.submitOwn(command, plan.actor);
  if (!isRefusal(answer)) return false;
  if (isPassing(answer)) throw new Error(answer.message);
  plan.append([gateEvent(plan.state, node, 'start', `“${node.title}” could not be started: ${answer.message} Try again?`)]);
  return true;
}

/** Runs the check of what an attempt did, once per round. */
async function verify(context: EngineContext, plan: PlanActor, node: PlanNodeState, attempt: Attempt): Promise<boolean> {
  const { verify: check } = node;
  if (check === undefined) return false;
  const round = (attempt.verified?.round ?? 0) + 1;
  if (!('command' in check)) return reviewNode(context, plan, node, attempt, { round, ...check });
  const cwd = context.sessions.get(attempt.sessionId)?.state.born?.cwd ?? plan.state.cwd;
  const sessionId = sessionOfNode(plan.id, node.id, attempt.n, 'verify', round);
  const end = await runScript(context, attempt.sessionId, {
    scriptId: sessionId as string as ScriptId,
    kind: 'run',
    command: check.command,
    argv: ['/bin/sh', '-c', check.command],
    cwd,
    actor: plan.actor,
  });
  if (isRefusal(end)) throw new Error(end.message);
  const how = end.message ?? (end.code === 0 ? '' : end.code === null ? `Ended by ${end.signal}` : `Exit code ${end.code}`);
  const output = [end.tail.trim(), how].filter((part) => part !== '').join('\n');
  plan.append([
    { type: 'node.verified', node: node.id, attempt: attempt.n, round, ok: end.code === 0, sessionId: `_script-${sessionId}` as typeof sessionId, output },
  ]);
  return true;
}
