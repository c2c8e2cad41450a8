import type { PlanGeneration } from '../../protocol/api/plan.ts';
import { type Command, isRefusal } from '../../protocol/command.ts';
import { AgentId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { PlanActor } from './plan-actor.ts';
import type { ReadText } from './run-node.ts';
import { generationCommand, isPassing } from './submit.ts';

/** The session that makes the steps, and its messages, as far as they are missing. */
export function deliverGeneration(context: EngineContext, plan: PlanActor, generation: PlanGeneration, read: ReadText): Promise<boolean> | undefined {
  const input = generation.inputs.at(-1);
  const agent = AgentId.safeParse(generation.agent).data;
  if (input === undefined || agent === undefined) return undefined;
  const commandId = generationCommand(plan.id, generation.n, input.n);
  if (context.deps.journal.receipt(commandId) !== undefined) return undefined;
  const { sessionId } = generation;
  const { cwd, head } = plan.state;
  const text = read(input.text, input.blob?.sha256);
  const { model } = head.defaults ?? {};
  const title = `Plan: ${head.title}`.slice(0, LIMITS.titleChars);
  const options = agent === head.defaults?.agent && model !== undefined ? { model } : {};
  const command: Command =
    input.n === 1
      ? { type: 'session.create', commandId, sessionId, agent, cwd, options, title, prompt: text }
      : { type: 'input.send', commandId, sessionId, text, mode: 'queue', resume: true };
  return submit(context, plan, generation, command);
}

async function submit(context: EngineContext, plan: PlanActor, { n }: PlanGeneration, command: Command): Promise<boolean> {
  const answer = await context.submitOwn(command, plan.actor);
  if (!isRefusal(answer)) return false;
  if (isPassing(answer)) throw new Error(answer.message);
  plan.append([{ type: 'plan.generated', n, outcome: 'failed', problem: answer.message }]);
  return true;
}
