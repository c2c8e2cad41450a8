import type { Attempt, PlanNodeState } from '../../protocol/api/plan.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { AgentId } from '../../protocol/ids.ts';
import { planCommandId, sessionOfNode } from '../../protocol/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { SessionObserver } from './observe-session.ts';
import type { PlanActor } from './plan-actor.ts';
import { isPassing } from './submit.ts';

interface Review {
  readonly round: number;
  readonly agent: AgentId;
  readonly prompt: string;
}

/** Another agent judges what an attempt did, in a session of its own in the same folder. Looked at again whenever that session changes. */
export async function reviewNode(context: EngineContext, plan: PlanActor, node: PlanNodeState, attempt: Attempt, review: Review): Promise<boolean> {
  const { round, agent, prompt } = review;
  const sessionId = sessionOfNode(plan.id, node.id, attempt.n, 'verify', round);
  const commandId = planCommandId(plan.id, node.id, attempt.n, `verify${round}`);
  if (context.deps.journal.receipt(commandId) === undefined) {
    const cwd = context.sessions.get(attempt.sessionId)?.state.born?.cwd ?? plan.state.cwd;
    const text = `${prompt}\n\n## What the agent says it did\n\n${attempt.summary ?? ''}\n\n---\nChange nothing. End with a line that is only PASS or FAIL; before it, say why.`;
    const title = `Check of ${node.title}`.slice(0, 200);
    const answer = await context.submitOwn({ type: 'session.create', commandId, sessionId, agent, cwd, options: {}, title, prompt: text }, plan.actor);
    if (!isRefusal(answer)) return false;
    if (isPassing(answer)) throw new Error(answer.message);
    plan.append([{ type: 'node.verified', node: node.id, attempt: attempt.n, round, ok: false, sessionId, output: answer.message }]);
    return true;
  }
  const { deps, sessions } = context;
  const seen = new SessionObserver(sessionId).see(deps.journal, sessions.get(sessionId)?.state, commandId, deps.now().getTime());
  if (seen === undefined || !seen.isQuiet) return false;
  const spent = seen.turns.map(({ seq, ...turn }) => ({ type: 'node.spent' as const, node: node.id, attempt: attempt.n, sessionId, turnSeq: seq, ...turn }));
  const ok = seen.turns.at(-1)?.outcome === 'ok' && /(^|\n)\W*PASS\W*$/.test(seen.summary.trimEnd());
  plan.append([...spent, { type: 'node.verified', node: node.id, attempt: attempt.n, round, ok, sessionId, output: seen.summary }]);
  return true;
}
