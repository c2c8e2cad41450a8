import { expect, test } from 'vitest';
import { asks, ended, Story, startsTool } from '../story.ts';
import type { Decidable } from './observations.ts';

test('[R50] an echoed message is consumed once and becomes part of the transcript', () => {
  const story = Story.working().says({ type: 'input.taken', inputId: 'in-m1' }).says({ type: 'input.taken', inputId: 'in-m1' });
  expect(story.of('input.consumed')).toHaveLength(1);
  expect(story.of('user.message')).toMatchObject([{ commandId: 'm1', text: 'text of m1', origin: 'person', itemId: 'in-m1' }]);
});

test('[R51] a turn that ends has consumed its message, even when the agent never echoed it', () => {
  const story = Story.working().says(ended());
  expect(story.types.slice(-3)).toEqual(['input.consumed', 'user.message', 'turn.completed']);
  expect(story.state.queue).toEqual([]);
});

test('[R52] nothing stays open behind a turn', () => {
  const story = Story.working().says(startsTool('t1'), asks('p1'), ended());
  expect(story.of('tool.completed')).toMatchObject([{ toolUseId: 't1', closedBy: 'the turn ended', isError: true }]);
  expect(story.of('permission.resolved')).toMatchObject([{ outcome: 'cancelled', message: 'the turn ended' }]);
  expect(story.state.status).toMatchObject({ status: 'idle', cause: 'turn.completed' });
});

test('[R53] a turn the agent begins by itself counts as busy and takes no message', () => {
  const story = Story.ready().says({ type: 'turn.began', cause: 'task-notification' });
  expect(story.state.status).toMatchObject({ status: 'busy', cause: 'turn.started' });
  story.send('m1');
  expect(story.of('input.delivered')).toEqual([]);
  story.says(ended());
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
});

test('a message in flight survives the end of a turn that was not its own', () => {
  const story = Story.ready().says({ type: 'turn.began', cause: 'task-notification' });
  story.state = { ...story.state, queue: Story.ready().send('m1').state.queue };
  story.says(ended());
  expect(story.state.queue.map((input) => [input.commandId, input.stage.at])).toEqual([['m1', 'delivered']]);
});

test('a request is shown once, also when the agent repeats it, and not again after its answer', () => {
  const story = Story.working().says(asks('p1')).says(asks('p1'));
  expect(story.of('permission.requested')).toHaveLength(1);
  story.asks({ type: 'permission.answer', requestId: `${story.run}:p1` as never, behavior: 'allow' }).says(asks('p1'));
  expect(story.of('permission.requested')).toHaveLength(1);
});

test('[R54] a request that the agent withdraws ends as cancelled', () => {
  const story = Story.working().says(asks('p1')).says({ type: 'permission.withdrawn', agentRequestId: 'p1', reason: 'interrupted' });
  expect(story.of('permission.resolved')).toMatchObject([{ outcome: 'cancelled', message: 'interrupted' }]);
  expect(story.state.status.status).toBe('busy');
});

test('[R55] the cost of a session is the sum of its turns', () => {
  const story = Story.working()
    .says(ended({ costUsd: 0.25 }))
    .send('m2')
    .says({ type: 'turn.began', cause: 'input' }, ended({ costUsd: 0.5 }));
  expect(story.state.costUsd).toBe(0.75);
});

test('[R145] a turn that we interrupted is interrupted, also when the agent calls it an error', () => {
  const story = Story.working()
    .asks({ type: 'turn.interrupt' })
    .says(ended({ stopReason: 'error', isError: true, errors: ['This operation was aborted'] }));
  expect(story.of('turn.completed')).toMatchObject([{ interrupted: true, isError: false, stopReason: 'interrupted' }]);
  expect(story.of('turn.completed')[0]).not.toHaveProperty('errors');
});

test('an interrupted turn is told by the agent, and its message is done', () => {
  const story = Story.working()
    .asks({ type: 'turn.interrupt' })
    .says(ended({ aborted: true, isError: true }));
  expect(story.of('turn.completed')).toMatchObject([{ interrupted: true }]);
  expect(story.state.queue).toEqual([]);
});

test('items belong to the turn in which they came', () => {
  const story = Story.working().says({ type: 'assistant.text', messageId: 'a', index: 0, text: 'hi' });
  expect(story.of('assistant.text')[0]?.turnId).toBe(story.of('turn.started')[0]?.turnId);
});

test('a new mind of the agent is expected to remember nothing of the old one', () => {
  const started = { type: 'session.started' as const, tools: [], commands: [], mcpServers: [], cwd: '/work' } satisfies Partial<Decidable>;
  const story = Story.working().says({ ...started, agentSessionId: Story.working().state.agentSessionId ?? '' }, ended());
  expect(story.state.remembered).toEqual(['m1']);
  story.says({ ...started, agentSessionId: 'another' });
  expect(story.state.remembered).toEqual([]);
});

test('a command to the agent itself leaves nothing that it could forget', () => {
  const story = Story.ready().asks({ type: 'input.send', commandId: 'm1', text: '/compact' }).says({ type: 'turn.began', cause: 'input' }, ended());
  expect(story.state.remembered).toEqual([]);
  story.send('m2').says({ type: 'turn.began', cause: 'input' }, ended());
  expect(story.state.remembered).toEqual(['m2']);
});

test('a message that the agent dropped is cancelled with the reason', () => {
  const story = Story.ready().send('m1').says({ type: 'input.dropped', inputId: 'in-m1', reason: 'cancelled in the agent' });
  expect(story.of('input.cancelled')).toMatchObject([{ commandId: 'm1', reason: 'cancelled in the agent' }]);
  expect(story.state.queue).toEqual([]);
});

test('[R237] what the agent of a session can do is what it said last, and is kept once', () => {
  const story = Story.ready();
  for (const _process of [1, 2]) story.says({ type: 'capabilities.told', can: { images: true, modes: ['plan'] } });
  expect(story.of('capabilities.told')).toHaveLength(1);
  story.says({ type: 'capabilities.told', can: { images: false } }, { type: 'capabilities.told', can: { images: false } });
  expect(story.of('capabilities.told')).toHaveLength(2);
  expect(story.state.can).toEqual({ images: false, modes: ['plan'] });
});

test('what every process says at its start is told only when it is news', () => {
  const high = { type: 'thinking.changed', thinking: 'high', reason: 'confirmed' } as const;
  const fine = { type: 'limit.reported', status: 'allowed', kind: 'five_hour' } as const;
  const story = Story.ready().says(high, high, fine);
  expect(story.of('thinking.changed')).toHaveLength(1);
  expect(story.of('limit.reported')).toEqual([]);
  story.says({ ...fine, status: 'rejected' }, fine, fine);
  expect(story.of('limit.reported').map((event) => event.status)).toEqual(['rejected', 'allowed']);
  expect(story.state.limit).toBeNull();
});

const task = (status: string): Decidable => ({ type: 'task.updated', taskId: 'helper', toolUseId: 't1', kind: 'subagent', status });
const helperAsks: Decidable = { ...asks('p1'), subagent: 'helper' } as Decidable;
const helperTool: Decidable = { type: 'tool.started', toolUseId: 't2', name: 'Write', input: {}, parentToolUseId: 't1' };

test('[R135] a subagent in the background still waits after the turn: its request and its tool stay open', () => {
  const story = Story.working().says(startsTool('t1'), task('running'), helperTool, helperAsks).says(ended());
  expect(story.state.permissions).toHaveLength(1);
  expect(story.state.openTools.map((tool) => tool.toolUseId)).toEqual(['t2']);
  expect(story.state.status.status).toBe('waiting');
  expect(story.asks({ type: 'session.sleep' }).refusal?.refused).toBe('conflict');
});

test('when it ends, or the agent dies, they are closed with a reason', () => {
  const waiting = () => Story.working().says(startsTool('t1'), task('running'), helperTool, helperAsks).says(ended());
  expect(waiting().says(task('completed')).of('permission.resolved')[0]).toMatchObject({ outcome: 'cancelled', message: 'the subagent ended' });
  expect(waiting().exits().of('permission.resolved')[0]).toMatchObject({ outcome: 'lapsed' });
});

test('an agent that makes the id of its conversation is given the first message when it has told it', () => {
  const story = new Story({ inputAfterReady: () => true }).create().send('m1');
  expect(story.of('input.delivered')).toEqual([]);
  expect(story.says({ type: 'agent.ready' }).of('input.delivered')).toMatchObject([{ commandId: 'm1' }]);
  expect(story.effects).toMatchObject([{ type: 'send-input', commandId: 'm1' }]);
});
