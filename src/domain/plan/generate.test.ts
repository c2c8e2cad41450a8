import { expect, test } from 'vitest';
import { nodeId, PLAN, step } from '../../../test/support/engine/plans.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import type { Event, EventBody } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { type PlanCommand, ProposalId } from '../../protocol/plan.ts';
import { decidePlan } from './decide.ts';
import { evolvePlan, newPlan } from './evolve.ts';
import { nextOfGeneration, readBlock } from './generate.ts';

const ADA: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
const AGENT: Actor = { kind: 'agent', id: 'demo', name: 'demo' };
const about = { planId: PLAN, commandId: 'c' as CommandId };

/** Stores what was decided, as the engine would. */
const fold = (state: PlanState, events: readonly EventBody[]): PlanState =>
  events.reduce((now, event) => evolvePlan(now, { ...event, seq: now.seq + 1, at: '2026-11-19T20:00:00.000Z' } as Event), state);

function decided(state: PlanState, command: PlanCommand, actor = ADA): PlanState {
  const events = decidePlan(state, command, { actor });
  if ('refused' in events) throw new Error(events.message);
  return fold(state, events);
}

const draft = (nodes = [step('a')]) => decided(newPlan(PLAN), { type: 'plan.create', ...about, head: { title: 'p' }, cwd: '/', nodes });
const block = (value: unknown) => `Here it is:\n\`\`\`signalbox-plan\n${JSON.stringify(value)}\n\`\`\`\nDone.`;
const seen = (summary: string, done = 1) => ({
  turns: Array.from({ length: done }, (_, at) => ({ seq: at + 1, outcome: 'ok' as const, turns: 1, ms: 1 })),
  isQuiet: true,
  isWorking: false,
  summary,
  workingMs: 0,
});

test('the last block of an answer is the plan; anything else is said in words', () => {
  const ops = [{ op: 'add', node: step('x') }];
  expect(readBlock(`${block({ ops: [] })}\n${block({ ops, why: 'x' })}`)).toEqual({ ops, why: 'x' });
  expect(readBlock('No block.')).toMatchObject({ problem: expect.stringContaining('no block') });
  expect(readBlock(block('text'))).toMatchObject({ problem: expect.stringContaining('JSON object') });
  expect(readBlock(block({ ops: [{ op: 'loop' }] }))).toMatchObject({ problem: expect.stringContaining('ops.0') });
});

test('[R625] a plan that is wrong goes back once, with the reason; the second time the reason is kept', () => {
  const asked = decided(draft([]), { type: 'plan.generate', ...about, task: 'do it', agent: 'demo' as never });
  const [generation] = asked.generations;
  if (generation === undefined) throw new Error('no generation');
  expect(generation.inputs[0]?.text).toContain('do it');
  const wrong = block({ ops: [{ op: 'add', node: step('a', ['a']) }], why: '' });
  const back = fold(asked, nextOfGeneration(asked, generation, seen(wrong), AGENT));
  const [again] = back.generations;
  expect(again).toMatchObject({ inputs: [{ why: 'start' }, { why: 'sent-back', text: expect.stringContaining('needs itself') }] });
  if (again === undefined) throw new Error('no generation');
  const ended = fold(back, nextOfGeneration(back, again, seen(wrong, 2), AGENT));
  expect(ended.generations[0]).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('needs itself') });
  const right = fold(back, nextOfGeneration(back, again, seen(block({ ops: [{ op: 'add', node: step('a') }] }), 2), AGENT));
  expect([right.nodes.map(({ id }) => id), right.status, right.proposals[0]?.outcome]).toEqual([['a'], 'draft', 'accepted']);
});

test('[R624] what an agent proposes waits for a person; accepted on a changed plan it applies or is stale', () => {
  const propose = (id: string, needs: string): PlanCommand => ({
    type: 'plan.propose',
    ...about,
    base: 1,
    proposalId: ProposalId.parse(id),
    ops: [{ op: 'insert_between', node: step(id), from: nodeId(needs), to: nodeId('c') }],
    why: 'w',
  });
  const before = draft([step('a'), step('b'), step('c', ['a', 'b'])]);
  const proposed = decided(decided(before, propose('x', 'a'), AGENT), propose('y', 'b'), AGENT);
  expect(proposed.nodes).toHaveLength(3);
  const changed = decided(proposed, { type: 'plan.revise', ...about, base: 1, ops: [{ op: 'remove', node: nodeId('b') }] });
  const decide = (id: string, state: PlanState) => decided(state, { type: 'proposal.decide', ...about, proposalId: ProposalId.parse(id), behavior: 'accept' });
  const end = decide('y', decide('x', changed));
  expect(end.proposals.map(({ outcome }) => outcome)).toEqual(['accepted', 'stale']);
  expect(end.proposals[1]?.reason).toContain('revision 1');
  expect(end.nodes.map(({ id, needs }) => [id, needs])).toEqual([
    ['a', []],
    ['c', ['x']],
    ['x', ['a']],
  ]);
});
