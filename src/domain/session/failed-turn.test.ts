import { expect, test } from 'vitest';
import { SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { Decidable } from './observations.ts';

const failed: Decidable = { type: 'turn.ended', stopReason: 'error', isError: true, aborted: false, denials: 0, errors: ['API Error: 529 overloaded'] };
const done: Decidable = { type: 'turn.ended', stopReason: 'end_turn', isError: false, aborted: false, denials: 0 };
const status = (scenario: SessionScenario) => scenario.state.status.status;

test('[R375] a session whose turn failed is failed until the next message, with the error as its line', () => {
  const scenario = SessionScenario.working().says(failed);
  expect(status(scenario)).toBe('failed');
  expect(scenario.state.status.cause).toBe('turn.completed');
  expect(scenario.state.lastLine).toBe('API Error: 529 overloaded');
  scenario.send('again');
  expect(status(scenario)).toBe('busy');
  scenario.says({ type: 'turn.began', cause: 'input' }).says(done);
  expect(status(scenario)).toBe('idle');
});

test('[R375] a failed turn stays visible while the agent sleeps and after it wakes', () => {
  const scenario = SessionScenario.working().says(failed).asks({ type: 'session.sleep' }).exits();
  expect(status(scenario)).toBe('failed');
  expect(scenario.of('session.status').filter((event) => event.status === 'failed')).toHaveLength(1);
  scenario.asks({ type: 'session.wake' }).says({ type: 'agent.ready' });
  expect(status(scenario)).toBe('failed');
  expect(status(scenario.send('again'))).toBe('busy');
});

test('[R375] a session that a person stops is ended, not failed', () => {
  const scenario = SessionScenario.working().says(failed).asks({ type: 'session.stop' }).exits();
  expect(status(scenario)).toBe('ended');
  expect(status(scenario.asks({ type: 'session.wake' }).says({ type: 'agent.ready' }))).toBe('idle');
});

test('[R376] what a person interrupted or stopped did not fail', () => {
  const interrupted = SessionScenario.working()
    .asks({ type: 'turn.interrupt' })
    .says({ ...failed, aborted: true });
  expect(interrupted.of('turn.completed')).toMatchObject([{ interrupted: true, isError: false }]);
  expect(status(interrupted)).toBe('idle');
  const stopped = SessionScenario.working().asks({ type: 'session.stop' }).exits();
  expect(stopped.of('turn.completed')).toMatchObject([{ stopReason: 'agent_stopped', isError: false }]);
  const crashed = SessionScenario.working().exits({ code: 1 });
  expect(crashed.of('turn.completed')).toMatchObject([{ stopReason: 'agent_exited', isError: true }]);
  expect(status(crashed)).toBe('failed');
});

test('[R377] the line of a session says what happens now: never what is over, and never what is no longer asked', () => {
  const asks = { type: 'permission.asked', agentRequestId: '1', tool: 'Bash', input: { command: 'npm test' }, kind: 'tool', toolUseId: 't' } as const;
  const scenario = SessionScenario.working().says({ type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'npm test' } }, asks);
  expect(scenario.state.lastLine).toBe('wants to run npm test');
  const requestId = scenario.state.permissions[0]?.requestId ?? expect.fail();
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(scenario.state.lastLine).toBe('Running npm test');
  scenario.says({ type: 'tool.completed', toolUseId: 't', output: 'ok', isError: false });
  expect(scenario.state.lastLine).toBe('Working…');
  scenario.says({ type: 'assistant.text', messageId: 'm', index: 0, text: 'All tests pass now. I changed one file.\n\nDone.' }).says(done);
  expect(scenario.state.lastLine).toBe('All tests pass now.');
  scenario.send('Now deploy');
  expect(scenario.state.lastLine).toBe('text of Now deploy');
});

test('[R377] a denied call is called denied, and a turn without an answer says that it is done', () => {
  const asks = { type: 'permission.asked', agentRequestId: '1', tool: 'Bash', input: { command: 'rm x' }, kind: 'tool', toolUseId: 't' } as const;
  const scenario = SessionScenario.working().says({ type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'rm x' } }, asks);
  const requestId = scenario.state.permissions[0]?.requestId ?? expect.fail();
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'deny' });
  expect(scenario.state.lastLine).toBe('Denied: rm x');
  scenario.says({ type: 'tool.completed', toolUseId: 't', output: 'no', isError: true }).says(done);
  expect(scenario.state.lastLine).toBe('Done');
});

test('a request of a subagent says what the subagent was started for', () => {
  const scenario = SessionScenario.working().says({ type: 'task.updated', taskId: 'a91f', kind: 'subagent', status: 'running', title: 'Find the tests' });
  scenario.says({ type: 'permission.asked', agentRequestId: '1', tool: 'Bash', input: {}, kind: 'tool', subagent: 'a91f' });
  expect(scenario.of('permission.requested')).toMatchObject([{ subagentTitle: 'Find the tests' }]);
});
