import type { Actor } from '../../protocol/actor.ts';
import type { PlanGeneration, PlanState } from '../../protocol/api/plan.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { EventBody, EventBodyOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { PlanOps, ProposalId } from '../../protocol/plan.ts';
import { decidePlan } from './decide.ts';
import type { SeenSession } from './next.ts';

const sentBackText = (problem: string): string => `That plan can’t be used: ${problem}\n\nCorrect it and propose all of it again, in the same form.`;

/** What follows from what the generating agent shows: its plan, one more try, or the end. */
export function nextOfGeneration(state: PlanState, generation: PlanGeneration, seen: SeenSession, actor: Actor): readonly EventBody[] {
  const { n, sessionId, inputs } = generation;
  const ended = (outcome: 'proposed' | 'failed', problem?: string): EventBodyOf<'plan.generated'> => ({
    type: 'plan.generated',
    n,
    outcome,
    ...(problem !== undefined && { problem }),
  });
  if (seen.stuck !== undefined) return [ended('failed', seen.stuck)];
  if (!seen.isQuiet) return [];
  if (state.proposals.some((proposal) => proposal.sessionId === sessionId)) return [ended('proposed')];
  if (seen.turns.at(-1)?.outcome !== 'ok') return [ended('failed', seen.summary.slice(0, 2000) || 'Its turn did not end normally.')];
  const block = readBlock(seen.summary);
  const proposed = 'problem' in block ? block.problem : propose(state, generation, block, actor);
  if (typeof proposed !== 'string') return [...proposed, ended('proposed')];
  if (inputs.length > 1) return [ended('failed', proposed)];
  return [{ type: 'plan.generated', n, outcome: 'sent-back', problem: proposed, text: sentBackText(proposed) }];
}

function propose(state: PlanState, { n, sessionId, inputs }: PlanGeneration, { ops, why }: Block, actor: Actor): readonly EventBody[] | string {
  const proposalId = ProposalId.parse(`generated:${n}.${inputs.length}`);
  const about = { commandId: '' as CommandId, planId: state.id, base: state.revision, sessionId };
  const decided = decidePlan(state, { type: 'plan.propose', ...about, proposalId, ops, why }, { actor });
  return isRefusal(decided) ? decided.message : decided;
}

interface Block {
  readonly ops: PlanOps;
  readonly why: string;
}

/** The plan in an agent's answer: the last block of its kind. */
export function readBlock(text: string): Block | { readonly problem: string } {
  const blocks = [...text.matchAll(/```+signalbox-plan[^\n]*\n([\s\S]*?)\n?```/g)];
  const json = blocks.at(-1)?.[1];
  if (json === undefined) return { problem: 'there is no block that starts with ```signalbox-plan.' };
  return parseOps(jsonIn(json));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Operations as agents write them: with the names in capitals too, and with what is wrong in words. */
export function parseOps(value: unknown): Block | { readonly problem: string } {
  if (typeof value !== 'object' || value === null || !('ops' in value)) return { problem: 'it is no JSON object with "ops".' };
  const ops = PlanOps.safeParse(value.ops);
  if (!ops.success)
    return {
      problem: ops.error.issues
        .map((issue) => `ops.${issue.path.join('.')}: ${issue.message}`)
        .join('; ')
        .slice(0, 2000),
    };
  const why = 'why' in value && typeof value.why === 'string' ? value.why.slice(0, 10_000) : '';
  return { ops: ops.data, why };
}
