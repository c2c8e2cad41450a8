import { expect, test } from 'vitest';
import { ended, SessionScenario, startsTool } from '../../../test/support/domain/session-scenario.ts';
import type { RunId } from '../../protocol/ids.ts';
import type { Decidable } from '../session/observations.ts';
import { SEND } from './tool-ask.ts';

const calls = (toolUseId: string, tool = 'ask_person', input: Record<string, unknown> = { question: 'Which?' }): Decidable => ({
  type: 'tool.called',
  agentRequestId: `q-${toolUseId}`,
  toolUseId,
  tool,
  input,
});
const answer = (scenario: SessionScenario, words: string) => {
  const requestId = scenario.state.permissions[0]?.requestId;
  if (requestId === undefined) throw new Error('no question is open');
  return scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow', answers: { 'Which?': words } });
};

test('[R405] a question is a card, and its answer is the result of the call that asked', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), calls('t1'));
  expect(scenario.state.status.status).toBe('waiting');
  expect(answer(scenario, 'This one').effects).toEqual([{ type: 'send-tool-answer', run: scenario.run, askId: `${scenario.run}-t1` }]);
  expect(scenario.of('tool.answered')).toMatchObject([{ outcome: 'answered', text: 'This one', actor: { kind: 'person' } }]);
  expect([scenario.state.asks, scenario.state.permissions, scenario.state.status.status]).toEqual([[], [], 'busy']);
});

test('a call that is read twice is asked once', () => {
  expect(SessionScenario.working().says(calls('t1')).says(calls('t1')).of('permission.requested')).toHaveLength(1);
});

test('[R413] when the agent dies, its questions lapse with the reason', () => {
  const scenario = SessionScenario.working().says(calls('t1')).exits();
  expect(scenario.of('permission.resolved')).toMatchObject([{ outcome: 'lapsed', message: 'the agent exited' }]);
  expect(scenario.of('tool.answered')).toMatchObject([{ outcome: 'lapsed', text: 'the agent exited' }]);
  expect(scenario.state.asks).toEqual([]);
});

test('a question is withdrawn when its turn ends, or when the agent reports the call as over', () => {
  expect(
    SessionScenario.working()
      .says(calls('t1'))
      .says(ended({ aborted: true }))
      .of('tool.answered'),
  ).toMatchObject([{ outcome: 'cancelled' }]);
  const over = SessionScenario.working()
    .says(startsTool('t1'), calls('t1'))
    .says({ type: 'tool.completed', toolUseId: 't1', output: 'timed out', isError: true });
  expect([over.state.permissions, over.of('tool.answered')[0]?.outcome]).toEqual([[], 'cancelled']);
});

test('[R414] an agent that was restarted before it got the answer gets it when it asks the same again', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), calls('t1'));
  answer(scenario, 'This one').exits().send('m2').says({ type: 'turn.began', cause: 'input' });
  scenario.says(calls('t9'));
  expect(scenario.state.permissions).toEqual([]);
  expect(scenario.effects).toMatchObject([{ type: 'send-tool-answer', askId: `${scenario.run}-t9` }]);
  expect(scenario.of('tool.answered').at(-1)).toMatchObject({ text: 'This one', repeats: expect.stringContaining('-t1') });
  expect(scenario.says(calls('t10')).state.permissions).toHaveLength(1);
});

test('an answer that the agent has received is not given again to a later question', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), calls('t1'));
  answer(scenario, 'This one').says({ type: 'tool.completed', toolUseId: 't1', output: 'This one', isError: false }).exits();
  scenario.send('m2').says({ type: 'turn.began', cause: 'input' }).says(calls('t9'));
  expect(scenario.state.permissions).toHaveLength(1);
});

test('arguments that don’t match, and too long ones, are answered at once', () => {
  const wrong = SessionScenario.working().says(calls('t1', 'ask_person', { question: 7 }));
  expect(wrong.of('tool.answered')).toMatchObject([{ outcome: 'refused', text: expect.stringContaining('question') }]);
  const long = SessionScenario.working().says(calls('t1', 'report', { summary: 'x'.repeat(70_000) }));
  expect([long.of('tool.asked')[0]?.input, long.of('tool.answered')[0]?.outcome]).toEqual([{}, 'refused']);
});

test('[R407] over HTTP the answer goes to the caller who waits, and becomes one message when nobody does', () => {
  const ask = (scenario: SessionScenario) =>
    scenario.asks({ type: 'tool.ask', run: scenario.run as RunId, askId: 'a1', tool: 'ask_person', input: { question: 'Which?' } });
  const waiting = ask(SessionScenario.working()).with({ isCalling: () => true });
  expect(answer(waiting, 'This one').of('tool.answered')).toMatchObject([{ delivery: 'call' }]);
  expect(waiting.of('input.accepted')).toHaveLength(1);
  const gone = ask(SessionScenario.working()).says(ended());
  expect(gone.state.permissions).toHaveLength(1);
  expect(answer(gone, 'This one').of('input.accepted').at(-1)).toMatchObject({ text: expect.stringContaining('This one'), commandId: 'answer:a1' });
});

test('[R415] a message to a stranger’s session waits for a person, who can also say no', () => {
  const asking = () => {
    const scenario = SessionScenario.working().says(calls('t1', 'send_to_session', { sessionId: 's9', text: 'hello' }));
    return scenario.asks({ type: 'tool.question', askId: `${scenario.run}-t1`, question: 'Which?', options: [SEND] });
  };
  const yes = answer(asking(), SEND);
  expect([yes.state.asks[0]?.isApproved, yes.of('tool.answered')]).toEqual([true, []]);
  expect(answer(asking(), 'later').of('tool.answered')).toMatchObject([{ outcome: 'refused', text: 'A person decided against it. They said: later' }]);
});
