import { expect, test } from 'vitest';
import { ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { AgentId } from '../../protocol/ids.ts';
import { withHandover } from '../queue/context.ts';

const handover = (how: 'compaction' | 'agent' | 'extract', prompt?: string): SessionScenario =>
  new SessionScenario().asks({
    type: 'session.create',
    commandId: 'c1',
    agent: 'demo' as AgentId,
    cwd: '/work',
    options: {},
    origin: { kind: 'handover', agentSessionId: 'old-mind', summary: { how, text: 'extract' } },
    ...(prompt !== undefined && { prompt }),
  });
const answering = (scenario: SessionScenario): SessionScenario => scenario.says({ type: 'agent.ready' }).says({ type: 'turn.began', cause: 'input' });

test('a known summary goes to the new conversation with its first message', () => {
  const scenario = handover('compaction', 'go on');
  expect(scenario.of('run.opened')[0]).toMatchObject({ mode: 'new' });
  expect(scenario.state.handover).toEqual({ how: 'compaction', text: 'extract' });
  expect(withHandover('go on', scenario.state.handover)).toContain('the summary that the agent itself made');
  answering(scenario).says({ type: 'input.taken', inputId: 'in-c1' });
  expect(scenario.state.handover).toBeNull();
});

test('the agent is asked for a summary in a copy of the old conversation, before the person’s message', () => {
  const scenario = handover('agent', 'go on');
  expect(scenario.of('run.opened')[0]).toMatchObject({ mode: 'fork', from: 'old-mind' });
  expect(scenario.of('input.delivered')[0]?.commandId).toBe('handover:s1');
  answering(scenario).says(ended({ result: 'all there is to know' }));
  expect(scenario.state.handover).toEqual({ how: 'agent', text: 'all there is to know' });
  expect(scenario.of('run.ending')[0]?.reason).toBe('handover');
  scenario.exits({ code: 0 });
  const fresh = scenario.of('run.opened')[1];
  expect(fresh).toMatchObject({ mode: 'new' });
  expect(fresh?.agentSessionId).not.toBe(scenario.of('run.opened')[0]?.agentSessionId);
  expect(scenario.of('input.delivered')[1]?.commandId).toBe('c1');
});

const failures: readonly (readonly [string, (scenario: SessionScenario) => SessionScenario])[] = [
  [
    'answers with an error',
    (scenario) =>
      answering(scenario)
        .says(ended({ isError: true }))
        .exits({ code: 0 }),
  ],
  [
    'is interrupted',
    (scenario) =>
      answering(scenario)
        .says(ended({ aborted: true }))
        .exits({ code: 0 }),
  ],
  ['crashes mid-turn', (scenario) => answering(scenario).exits()],
  ['crashes before it took the question', (scenario) => scenario.exits({ memory: 'absent' })],
];
for (const [name, happen] of failures) {
  test(`[R177] when the agent ${name}, the extract is used instead, and labeled as one`, () => {
    const scenario = happen(handover('agent', 'go on'));
    expect(scenario.state.handover).toEqual({ how: 'extract', text: 'extract' });
    expect(scenario.state.queue.map((input) => input.commandId)).toEqual(['c1']);
    expect(scenario.of('run.opened').at(-1)).toMatchObject({ mode: 'new' });
  });
}

test('after a crash of the server before the question was sent, it is asked again', () => {
  const scenario = handover('agent').exits({ neverBegan: true, memory: 'absent' });
  expect(scenario.state.handover).toBeNull();
  expect(scenario.of('run.opened').at(-1)).toMatchObject({ mode: 'fork', from: 'old-mind' });
});
