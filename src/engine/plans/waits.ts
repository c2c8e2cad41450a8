import { waitsBeforeStart } from '../../domain/plan/ready.ts';
import { waitsForSlot } from '../../domain/session/status.ts';
import type { PlanNodeState, PlanState, WaitsFor } from '../../protocol/api/plan.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { limitsNow } from './limits-now.ts';

/** What each step that is not over waits for, or what it is doing. */
export function waitsOf(context: EngineContext, state: PlanState): Readonly<Record<string, WaitsFor>> {
  const facts = { limits: limitsNow(context), at: context.deps.now().toISOString() };
  const waits = state.nodes.flatMap((node) => {
    const why = isUnstarted(node) ? waitsBeforeStart(state, node, facts) : whileStarted(context, state, node);
    return why === undefined ? [] : [[node.id, why] as const];
  });
  return Object.fromEntries(waits);
}

const isUnstarted = ({ status }: PlanNodeState): boolean => status === 'pending' || status === 'ready' || status === 'blocked';

function whileStarted({ sessions }: EngineContext, state: PlanState, node: PlanNodeState): WaitsFor | undefined {
  const gate = state.gates.find((one) => one.node === node.id);
  if (gate !== undefined) return { kind: 'gate', words: gate.question };
  if (node.status !== 'running') return undefined;
  const attempt = node.attempts.at(-1);
  if (attempt?.phase === 'reported' && node.verify !== undefined) return { kind: 'check', words: 'Its check runs.' };
  if (attempt?.phase === 'verified' || attempt?.phase === 'reported') return { kind: 'merge', words: 'Its work is being merged.' };
  if (attempt?.last === 'limited' && attempt.until !== undefined) return { kind: 'limit', words: 'Usage limit', until: attempt.until };
  const session = attempt === undefined ? undefined : sessions.get(attempt.sessionId)?.state;
  if (session === undefined) return undefined;
  if (session.permissions.length > 0) return { kind: 'person', words: 'Its agent asks something.' };
  return waitsForSlot(session) ? { kind: 'slot', words: 'Waits for a free slot.' } : { kind: 'agent', words: 'Its agent works.' };
}
