import { expect, test } from 'vitest';
import { asks, ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { RequestId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';

test('a new session opens a run and delivers its first message', () => {
  const scenario = new SessionScenario().create('hello');
  expect(scenario.types).toEqual(['session.created', 'input.accepted', 'run.opened', 'input.delivered']);
  expect(scenario.effects.map((effect) => effect.type)).toEqual(['launch', 'send-input']);
  expect(scenario.state.status).toMatchObject({ status: 'starting', cause: 'run.opened' });
});

test('[R360] a new session without a free slot is created, keeps its message and waits in line', () => {
  const scenario = new SessionScenario({ hasFreeSlot: false }).create('hello');
  expect(scenario.types).toEqual(['session.created', 'input.accepted']);
  expect(scenario.state.status).toMatchObject({ status: 'starting', cause: 'waiting for a free slot' });
  scenario.with({ hasFreeSlot: true }).advances();
  expect(scenario.types.slice(2)).toEqual(['run.opened', 'input.delivered']);
  expect(scenario.state.status).toMatchObject({ status: 'starting', cause: 'run.opened' });
});

test('[R360] a session that is created or woken without a message waits in line too', () => {
  const created = new SessionScenario({ hasFreeSlot: false }).create();
  expect(created.with({ hasFreeSlot: true }).advances().types).toEqual(['session.created', 'run.opened']);
  const woken = SessionScenario.ready().asks({ type: 'session.sleep' }).exits().with({ hasFreeSlot: false }).asks({ type: 'session.wake' });
  expect(woken.state.status.cause).toBe('waiting for a free slot');
  expect(woken.with({ hasFreeSlot: true }).advances().of('run.opened')).toHaveLength(2);
});

test('[R360] an agent that kept crashing starts when it is woken and its turn in line comes, so that it never blocks the line', () => {
  const scenario = SessionScenario.working();
  for (let death = 0; death < 3; death += 1) scenario.send(`q${death}`).exits({ code: 1, memory: 'absent' });
  while (scenario.state.run.phase !== 'none') scenario.exits({ code: 1, memory: 'absent' });
  scenario.with({ hasFreeSlot: false }).asks({ type: 'session.wake' });
  expect(scenario.state).toMatchObject({ deaths: 3, status: { cause: 'waiting for a free slot' } });
  expect(scenario.with({ hasFreeSlot: true }).advances().state.run.phase).toBe('opened');
});

test('[R360] a session leaves the line when it is stopped or its last message is cancelled', () => {
  const inLine = () => new SessionScenario({ hasFreeSlot: false }).create('hello');
  const cancelled = inLine().asks({ type: 'input.cancel', target: 'c1' as never });
  expect(cancelled.state.status).toMatchObject({ status: 'sleeping', cause: 'input.cancelled' });
  expect(cancelled.with({ hasFreeSlot: true }).advances().types).not.toContain('run.opened');
  const stopped = inLine().asks({ type: 'session.stop' });
  expect(stopped.with({ hasFreeSlot: true }).advances().types).not.toContain('run.opened');
  expect(inLine().asks({ type: 'session.sleep' }).refusal?.refused).toBe('conflict');
  expect(inLine().asks({ type: 'turn.interrupt' }).refusal?.message).toContain('waits in line');
});

test('a second session with the same id is refused', () => {
  expect(SessionScenario.ready().create().refusal?.refused).toBe('conflict');
});

test('[R10] one message is in flight at a time; the next is delivered when the turn is over', () => {
  const scenario = SessionScenario.ready().send('m1').send('m2');
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  scenario.says({ type: 'turn.began', cause: 'input' }, ended());
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm2']);
});

test('[R11] messages are delivered in the order in which they were accepted', () => {
  const scenario = SessionScenario.ready().send('m1').send('m2').send('m3');
  for (let turn = 0; turn < 3; turn += 1) scenario.says({ type: 'turn.began', cause: 'input' }, ended());
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm2', 'm3']);
  expect(scenario.state.queue).toEqual([]);
});

test('[R12] a full queue refuses another message and keeps the ones it has', () => {
  const scenario = SessionScenario.ready();
  for (let count = 0; count < LIMITS.queueLength; count += 1) scenario.send(`m${count}`);
  expect(scenario.refusal).toBeUndefined();
  scenario.send('one-more');
  expect(scenario.refusal?.refused).toBe('queue-full');
  expect(scenario.state.queue).toHaveLength(LIMITS.queueLength);
});

test('a queued message can be cancelled; one that the agent has cannot', () => {
  const scenario = SessionScenario.ready().send('m1').send('m2');
  scenario.asks({ type: 'input.cancel', target: 'm2' as never });
  expect(scenario.state.queue.map((input) => input.commandId)).toEqual(['m1']);
  scenario.asks({ type: 'input.cancel', target: 'm1' as never });
  expect(scenario.refusal?.refused).toBe('conflict');
});

test('[R13] when the disk is full, a message is refused instead of being half stored', () => {
  const scenario = SessionScenario.ready().with({ hasDiskSpace: false }).send('m1');
  expect(scenario.refusal?.refused).toBe('disk-low');
  expect(scenario.types).not.toContain('input.accepted');
});

test('[R821] when the disk is full, a session is not created with a first message that could not be delivered', () => {
  const scenario = new SessionScenario({ hasDiskSpace: false }).create('go');
  expect(scenario.refusal?.refused).toBe('disk-low');
  expect(scenario.types).toEqual([]);
});

test('[R14] without a free slot a message is stored, and the session says what it waits for', () => {
  const scenario = SessionScenario.ready().asks({ type: 'session.stop' }).exits().with({ hasFreeSlot: false }).send('m1');
  expect(scenario.state.status).toMatchObject({ status: 'starting', cause: 'waiting for a free slot' });
  expect(scenario.state.queue.map((input) => input.commandId)).toEqual(['m1']);
  scenario.with({ hasFreeSlot: true }).advances();
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
});

test('[R20] an answer resolves the request it names and goes to the agent', () => {
  const scenario = SessionScenario.working().says(asks('p1'));
  const requestId = scenario.of('permission.requested')[0]?.requestId as RequestId;
  expect(scenario.state.status).toMatchObject({ status: 'waiting', cause: 'permission.requested' });
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(scenario.of('permission.resolved')).toMatchObject([{ requestId, outcome: 'allowed', actor: { name: 'Ada' } }]);
  expect(scenario.effects).toEqual([{ type: 'send-answer', run: scenario.run, requestId }]);
  expect(scenario.state.status.status).toBe('busy');
});

test('[R21] a second answer is refused with the outcome of the first', () => {
  const scenario = SessionScenario.working().says(asks('p1'));
  const requestId = scenario.of('permission.requested')[0]?.requestId as RequestId;
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'deny', message: 'no' });
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow' });
  expect(scenario.refusal).toMatchObject({ refused: 'already-answered', message: expect.stringContaining('already denied, by Ada') });
  expect(scenario.of('permission.resolved')).toHaveLength(1);
});

test('an answer to an unknown request is refused', () => {
  const scenario = SessionScenario.working().asks({ type: 'permission.answer', requestId: 'r0:x' as RequestId, behavior: 'allow' });
  expect(scenario.refusal?.refused).toBe('not-found');
});

test('[R30] an interrupt goes to the agent and names who asked; with nothing running it is refused', () => {
  const scenario = SessionScenario.working().asks({ type: 'turn.interrupt', commandId: 'stop-it' });
  expect(scenario.of('interrupt.requested')).toMatchObject([{ commandId: 'stop-it', actor: { name: 'Ada' } }]);
  expect(scenario.effects.map((effect) => effect.type)).toEqual(['send-interrupt']);
  expect(SessionScenario.ready().asks({ type: 'turn.interrupt' }).refusal?.refused).toBe('nothing-to-interrupt');
});

test('[R31] stopping mid-turn interrupts the agent before ending its input; stopping an idle agent only ends the input', () => {
  expect(SessionScenario.working().asks({ type: 'session.stop' }).effects).toMatchObject([{ type: 'end', midTurn: true }]);
  expect(SessionScenario.ready().asks({ type: 'session.stop' }).effects).toMatchObject([{ type: 'end', midTurn: false }]);
});

test('a run is ended once, however often a stop is requested', () => {
  const scenario = SessionScenario.ready().asks({ type: 'session.stop' }).asks({ type: 'session.stop' });
  expect(scenario.of('run.ending')).toHaveLength(1);
  expect(scenario.effects).toEqual([]);
  expect(scenario.asks({ type: 'session.delete' }).of('run.ending')).toHaveLength(1);
});

test('[R32] only an idle agent can be put to sleep', () => {
  expect(SessionScenario.working().asks({ type: 'session.sleep' }).refusal?.refused).toBe('conflict');
  const asleep = SessionScenario.ready().asks({ type: 'session.sleep' }).exits({ code: 0 });
  expect(asleep.state.status).toMatchObject({ status: 'sleeping', cause: 'session.exited' });
});

test('a sleeping session wakes with the next message and resumes only if it has a history', () => {
  const fresh = SessionScenario.ready().asks({ type: 'session.sleep' }).exits({ code: 0 }).send('m1');
  expect(fresh.of('run.opened').map((event) => event.mode)).toEqual(['new', 'new']);
  const known = SessionScenario.working().says(ended()).asks({ type: 'session.sleep' }).exits({ code: 0 }).send('m2');
  expect(known.of('run.opened').map((event) => event.mode)).toEqual(['new', 'resume']);
  expect(new Set(known.of('run.opened').map((event) => event.agentSessionId)).size).toBe(1);
});

test('a deleted session accepts no commands', () => {
  const scenario = SessionScenario.ready().asks({ type: 'session.delete' });
  expect(scenario.effects.map((effect) => effect.type)).toEqual(['end', 'forget']);
  expect(scenario.send('m1').refusal?.refused).toBe('session-deleted');
});

test('changed details of a session are stored, and the others stay', () => {
  const scenario = SessionScenario.ready()
    .asks({ type: 'session.describe', title: 'A title', tags: ['a'] })
    .asks({ type: 'session.describe', star: true });
  expect(scenario.state.meta).toMatchObject({ title: 'A title', tags: ['a'], star: true });
});
