import { expect, test } from 'vitest';
import type { RequestId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { asks, ended, Story } from '../story.ts';

test('a new session opens a run and gives its first message to it', () => {
  const story = new Story().create('hello');
  expect(story.types).toEqual(['session.created', 'input.accepted', 'run.opened', 'input.delivered']);
  expect(story.effects.map((effect) => effect.type)).toEqual(['launch', 'send-input']);
  expect(story.state.status).toMatchObject({ status: 'starting', cause: 'run.opened' });
});

test('a new session without a free place is refused in words, and nothing is kept', () => {
  const story = new Story({ placeFree: false }).create('hello');
  expect(story.refusal?.refused).toBe('too-many-live');
  expect(story.events).toEqual([]);
});

test('a second session under a known id is refused', () => {
  expect(Story.ready().create().refusal?.refused).toBe('conflict');
});

test('[R10] one message is in flight at a time; the next goes out when the turn is over', () => {
  const story = Story.ready().send('m1').send('m2');
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  story.says({ type: 'turn.began', cause: 'input' }, ended());
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm2']);
});

test('[R11] messages are delivered in the order in which they were accepted', () => {
  const story = Story.ready().send('m1').send('m2').send('m3');
  for (let turn = 0; turn < 3; turn += 1) story.says({ type: 'turn.began', cause: 'input' }, ended());
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm2', 'm3']);
  expect(story.state.queue).toEqual([]);
});

test('[R12] a full queue refuses one more and keeps what it has', () => {
  const story = Story.ready();
  for (let count = 0; count < LIMITS.queueLength; count += 1) story.send(`m${count}`);
  expect(story.refusal).toBeUndefined();
  story.send('one-more');
  expect(story.refusal?.refused).toBe('queue-full');
  expect(story.state.queue).toHaveLength(LIMITS.queueLength);
});

test('a message that waits can be cancelled; one that the agent has cannot', () => {
  const story = Story.ready().send('m1').send('m2');
  story.asks({ type: 'input.cancel', target: 'm2' as never });
  expect(story.state.queue.map((input) => input.commandId)).toEqual(['m1']);
  story.asks({ type: 'input.cancel', target: 'm1' as never });
  expect(story.refusal?.refused).toBe('conflict');
});

test('[R13] without space on the disk a message is refused rather than half kept', () => {
  const story = Story.ready().with({ diskFree: false }).send('m1');
  expect(story.refusal?.refused).toBe('disk-low');
  expect(story.types).not.toContain('input.accepted');
});

test('[R14] waking needs a place: the message stays durable and says what it waits for', () => {
  const story = Story.ready().asks({ type: 'session.stop' }).exits().with({ placeFree: false }).send('m1');
  expect(story.state.status).toMatchObject({ status: 'starting', cause: 'waits for a free place' });
  expect(story.state.queue.map((input) => input.commandId)).toEqual(['m1']);
  story.with({ placeFree: true }).goesOn();
  expect(story.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
});

test('[R20] an answer resolves the request it names and goes to the agent', () => {
  const story = Story.working().says(asks('p1'));
  const requestId = story.of('permission.requested')[0]?.requestId as RequestId;
  expect(story.state.status).toMatchObject({ status: 'waiting', cause: 'permission.requested' });
  story.asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(story.of('permission.resolved')).toMatchObject([{ requestId, outcome: 'allowed', actor: { name: 'Ada' } }]);
  expect(story.effects).toEqual([{ type: 'send-answer', run: story.run, requestId }]);
  expect(story.state.status.status).toBe('busy');
});

test('[R21] a second answer is refused and told what happened to the first', () => {
  const story = Story.working().says(asks('p1'));
  const requestId = story.of('permission.requested')[0]?.requestId as RequestId;
  story.asks({ type: 'permission.answer', requestId, behavior: 'deny', message: 'no' });
  story.asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(story.refusal).toMatchObject({ refused: 'already-answered', message: expect.stringContaining('denied already, by Ada') });
  expect(story.of('permission.resolved')).toHaveLength(1);
});

test('an answer to a request that never was is refused', () => {
  const story = Story.working().asks({ type: 'permission.answer', requestId: 'r0:x' as RequestId, behavior: 'allow' });
  expect(story.refusal?.refused).toBe('not-found');
});

test('[R30] an interrupt goes to the agent and names who asked; with nothing running it is refused', () => {
  const story = Story.working().asks({ type: 'turn.interrupt', commandId: 'stop-it' });
  expect(story.of('interrupt.requested')).toMatchObject([{ commandId: 'stop-it', actor: { name: 'Ada' } }]);
  expect(story.effects.map((effect) => effect.type)).toEqual(['send-interrupt']);
  expect(Story.ready().asks({ type: 'turn.interrupt' }).refusal?.refused).toBe('nothing-to-interrupt');
});

test('[R31] stop in mid-turn interrupts before it ends the input; idle it only ends the input', () => {
  expect(Story.working().asks({ type: 'session.stop' }).effects).toMatchObject([{ type: 'end', midTurn: true }]);
  expect(Story.ready().asks({ type: 'session.stop' }).effects).toMatchObject([{ type: 'end', midTurn: false }]);
});

test('a run is ended once, however often it is asked', () => {
  const story = Story.ready().asks({ type: 'session.stop' }).asks({ type: 'session.stop' });
  expect(story.of('run.ending')).toHaveLength(1);
  expect(story.effects).toEqual([]);
});

test('[R32] sleep is for those who do nothing', () => {
  expect(Story.working().asks({ type: 'session.sleep' }).refusal?.refused).toBe('conflict');
  const asleep = Story.ready().asks({ type: 'session.sleep' }).exits({ code: 0 });
  expect(asleep.state.status).toMatchObject({ status: 'sleeping', cause: 'session.exited' });
});

test('a sleeping session wakes with the next message and resumes only what it has', () => {
  const fresh = Story.ready().asks({ type: 'session.sleep' }).exits({ code: 0 }).send('m1');
  expect(fresh.of('run.opened').map((event) => event.mode)).toEqual(['new', 'new']);
  const known = Story.working().says(ended()).asks({ type: 'session.sleep' }).exits({ code: 0 }).send('m2');
  expect(known.of('run.opened').map((event) => event.mode)).toEqual(['new', 'resume']);
  expect(new Set(known.of('run.opened').map((event) => event.agentSessionId)).size).toBe(1);
});

test('a deleted session takes nothing more', () => {
  const story = Story.ready().asks({ type: 'session.delete' });
  expect(story.effects.map((effect) => effect.type)).toEqual(['end', 'forget']);
  expect(story.send('m1').refusal?.refused).toBe('session-deleted');
});

test('what a person changes about a session is kept, and the rest stays', () => {
  const story = Story.ready()
    .asks({ type: 'session.describe', title: 'A title', tags: ['a'] })
    .asks({ type: 'session.describe', star: true });
  expect(story.state.meta).toMatchObject({ title: 'A title', tags: ['a'], star: true });
});
