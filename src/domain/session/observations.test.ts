import { expect, test } from 'vitest';
import { asks, ended, SessionScenario, startsTool } from '../../../test/support/domain/session-scenario.ts';
import type { Decidable } from './observations.ts';

test('[R50] an echoed message is consumed once and becomes part of the transcript', () => {
  const scenario = SessionScenario.working().says({ type: 'input.taken', inputId: 'in-m1' }).says({ type: 'input.taken', inputId: 'in-m1' });
  expect(scenario.of('input.consumed')).toHaveLength(1);
  expect(scenario.of('user.message')).toMatchObject([{ commandId: 'm1', text: 'text of m1', origin: 'person', itemId: 'in-m1' }]);
});

test('[R51] a turn that ends has consumed its message, even when the agent never echoed it', () => {
  const scenario = SessionScenario.working().says(ended());
  expect(scenario.types.slice(-3)).toEqual(['input.consumed', 'user.message', 'turn.completed']);
  expect(scenario.state.queue).toEqual([]);
});

test('[R52] nothing stays open after a turn', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), asks('p1'), ended());
  expect(scenario.of('tool.completed')).toMatchObject([{ toolUseId: 't1', closedBy: 'the turn ended', isError: true }]);
  expect(scenario.of('permission.resolved')).toMatchObject([{ outcome: 'cancelled', message: 'the turn ended' }]);
  expect(scenario.state.status).toMatchObject({ status: 'idle', cause: 'turn.completed' });
});

test('[R53] a turn the agent starts on its own counts as busy, and no message is delivered in it', () => {
  const scenario = SessionScenario.ready().says({ type: 'turn.began', cause: 'task-notification' });
  expect(scenario.state.status).toMatchObject({ status: 'busy', cause: 'turn.started' });
  scenario.send('m1');
  expect(scenario.of('input.delivered')).toEqual([]);
  scenario.says(ended());
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
});

test('a message in flight survives the end of a turn that was not its own', () => {
  const scenario = SessionScenario.ready().says({ type: 'turn.began', cause: 'task-notification' });
  scenario.state = { ...scenario.state, queue: SessionScenario.ready().send('m1').state.queue };
  scenario.says(ended());
  expect(scenario.state.queue.map((input) => [input.commandId, input.stage.at])).toEqual([['m1', 'delivered']]);
});

test('a request is shown once, even when the agent repeats it, and not again after its answer', () => {
  const scenario = SessionScenario.working().says(asks('p1')).says(asks('p1'));
  expect(scenario.of('permission.requested')).toHaveLength(1);
  scenario.asks({ type: 'permission.answer', requestId: `${scenario.run}:p1` as never, behavior: 'allow' }).says(asks('p1'));
  expect(scenario.of('permission.requested')).toHaveLength(1);
});

test('[R54] a request that the agent withdraws ends as cancelled', () => {
  const scenario = SessionScenario.working().says(asks('p1')).says({ type: 'permission.withdrawn', agentRequestId: 'p1', reason: 'interrupted' });
  expect(scenario.of('permission.resolved')).toMatchObject([{ outcome: 'cancelled', message: 'interrupted' }]);
  expect(scenario.state.status.status).toBe('busy');
});

test('[R55] the cost of a session is the sum of its turns', () => {
  const scenario = SessionScenario.working()
    .says(ended({ costUsd: 0.25 }))
    .send('m2')
    .says({ type: 'turn.began', cause: 'input' }, ended({ costUsd: 0.5 }));
  expect(scenario.state.costUsd).toBe(0.75);
});

test('[R145] a turn that we interrupted is interrupted, even when the agent calls it an error', () => {
  const scenario = SessionScenario.working()
    .asks({ type: 'turn.interrupt' })
    .says(ended({ stopReason: 'error', isError: true, errors: ['This operation was aborted'] }));
  expect(scenario.of('turn.completed')).toMatchObject([{ interrupted: true, isError: false, stopReason: 'interrupted' }]);
  expect(scenario.of('turn.completed')[0]).not.toHaveProperty('errors');
});

test('when the agent reports an interrupted turn, its message is done', () => {
  const scenario = SessionScenario.working()
    .asks({ type: 'turn.interrupt' })
    .says(ended({ aborted: true, isError: true }));
  expect(scenario.of('turn.completed')).toMatchObject([{ interrupted: true }]);
  expect(scenario.state.queue).toEqual([]);
});

test('items belong to the turn in which they arrived', () => {
  const scenario = SessionScenario.working().says({ type: 'assistant.text', messageId: 'a', index: 0, text: 'hi' });
  expect(scenario.of('assistant.text')[0]?.turnId).toBe(scenario.of('turn.started')[0]?.turnId);
});

test('a new conversation of the agent is expected to remember nothing of the old one', () => {
  const started = { type: 'session.started' as const, tools: [], commands: [], mcpServers: [], cwd: '/work' } satisfies Partial<Decidable>;
  const scenario = SessionScenario.working().says({ ...started, agentSessionId: SessionScenario.working().state.agentSessionId ?? '' }, ended());
  expect(scenario.state.remembered).toEqual(['m1']);
  scenario.says({ ...started, agentSessionId: 'another' });
  expect(scenario.state.remembered).toEqual([]);
});

test('a slash command leaves nothing that the agent could forget', () => {
  const scenario = SessionScenario.ready()
    .asks({ type: 'input.send', commandId: 'm1', text: '/compact' })
    .says({ type: 'turn.began', cause: 'input' }, ended());
  expect(scenario.state.remembered).toEqual([]);
  scenario.send('m2').says({ type: 'turn.began', cause: 'input' }, ended());
  expect(scenario.state.remembered).toEqual(['m2']);
});

test('a message that the agent dropped is cancelled with the reason', () => {
  const scenario = SessionScenario.ready().send('m1').says({ type: 'input.dropped', inputId: 'in-m1', reason: 'cancelled in the agent' });
  expect(scenario.of('input.cancelled')).toMatchObject([{ commandId: 'm1', reason: 'cancelled in the agent' }]);
  expect(scenario.state.queue).toEqual([]);
});

test('[R237] the capabilities of an agent are those it reported last, and are stored once', () => {
  const scenario = SessionScenario.ready();
  for (const _process of [1, 2]) scenario.says({ type: 'capabilities.told', can: { images: true, modes: ['plan'] } });
  expect(scenario.of('capabilities.told')).toHaveLength(1);
  scenario.says({ type: 'capabilities.told', can: { images: false } }, { type: 'capabilities.told', can: { images: false } });
  expect(scenario.of('capabilities.told')).toHaveLength(2);
  expect(scenario.state.can).toEqual({ images: false, modes: ['plan'] });
});

test('what every process reports at its start is stored only if it changed', () => {
  const high = { type: 'thinking.changed', thinking: 'high', reason: 'confirmed' } as const;
  const fine = { type: 'limit.reported', status: 'allowed', kind: 'five_hour' } as const;
  const scenario = SessionScenario.ready().says(high, high, fine);
  expect(scenario.of('thinking.changed')).toHaveLength(1);
  expect(scenario.of('limit.reported')).toEqual([]);
  scenario.says({ ...fine, status: 'rejected' }, fine, fine);
  expect(scenario.of('limit.reported').map((event) => event.status)).toEqual(['rejected', 'allowed']);
  expect(scenario.state.limit).toBeNull();
});

const task = (status: string): Decidable => ({ type: 'task.updated', taskId: 'helper', toolUseId: 't1', kind: 'subagent', status });
const helperAsks: Decidable = { ...asks('p1'), subagent: 'helper' } as Decidable;
const helperTool: Decidable = { type: 'tool.started', toolUseId: 't2', name: 'Write', input: {}, parentToolUseId: 't1' };

test('[R135] the request and the tool of a background subagent stay open after the turn', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), task('running'), helperTool, helperAsks).says(ended());
  expect(scenario.state.permissions).toHaveLength(1);
  expect(scenario.state.openTools.map((tool) => tool.toolUseId)).toEqual(['t2']);
  expect(scenario.state.status.status).toBe('waiting');
  expect(scenario.asks({ type: 'session.sleep' }).refusal?.refused).toBe('conflict');
});

test('when a background subagent ends, or the agent crashes, its request is closed with a reason', () => {
  const waiting = () => SessionScenario.working().says(startsTool('t1'), task('running'), helperTool, helperAsks).says(ended());
  expect(waiting().says(task('completed')).of('permission.resolved')[0]).toMatchObject({ outcome: 'cancelled', message: 'the subagent ended' });
  expect(waiting().exits().of('permission.resolved')[0]).toMatchObject({ outcome: 'lapsed' });
});

test('an agent that creates its own conversation id gets the first message once it has reported the id', () => {
  const scenario = new SessionScenario({ inputAfterReady: () => true }).create().send('m1');
  expect(scenario.of('input.delivered')).toEqual([]);
  expect(scenario.says({ type: 'agent.ready' }).of('input.delivered')).toMatchObject([{ commandId: 'm1' }]);
  expect(scenario.effects).toMatchObject([{ type: 'send-input', commandId: 'm1' }]);
});
