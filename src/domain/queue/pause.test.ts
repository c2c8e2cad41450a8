import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, asks, ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId, RequestId } from '../../protocol/ids.ts';

const id = (text: string): CommandId => text as CommandId;
const delivered = (scenario: SessionScenario): readonly string[] => scenario.of('input.delivered').map((event) => event.commandId);
const waiting = (scenario: SessionScenario): readonly string[] => scenario.state.queue.map((input) => input.commandId);
/** Interrupted in `m1`, with `m2` and `m3` in the queue, and idle since. */
const interrupted = (): SessionScenario =>
  SessionScenario.working()
    .send('m2')
    .send('m3')
    .asks({ type: 'turn.interrupt' })
    .says({ type: 'input.taken', inputId: 'in-m1' }, ended({ aborted: true }));

test('[R10] a person’s interrupt pauses the queue, and resuming continues it in order', () => {
  const scenario = interrupted();
  expect(delivered(scenario)).toEqual(['m1']);
  expect(scenario.state).toMatchObject({ status: { status: 'idle' }, paused: { by: 'Ada' } });
  scenario.asks({ type: 'queue.resume' });
  expect(delivered(scenario)).toEqual(['m1', 'm2']);
  expect(scenario.says({ type: 'turn.began', cause: 'input' }, ended()).state.paused).toBeUndefined();
  expect(delivered(scenario)).toEqual(['m1', 'm2', 'm3']);
});

test('[R364] an interrupt with nothing queued pauses nothing: the next message is delivered', () => {
  const scenario = SessionScenario.working()
    .asks({ type: 'turn.interrupt' })
    .send('m2')
    .says(ended({ aborted: true }));
  expect(scenario.types).not.toContain('queue.paused');
  expect(delivered(scenario)).toEqual(['m1', 'm2']);
  expect(SessionScenario.ready().asks({ type: 'queue.pause' }).refusal?.refused).toBe('conflict');
});

test('[R364] an interrupt by the system, such as for a full disk, pauses nothing', () => {
  const scenario = SessionScenario.working().send('m2').with({ actor: SYSTEM }).asks({ type: 'turn.interrupt' });
  expect(scenario.types.at(-1)).toBe('interrupt.requested');
});

test('[R364] denying a request and stopping the turn pauses the queue too; a plain denial does not', () => {
  const waits = () => SessionScenario.working().send('m2').says(asks('p1'));
  const answered = (interrupt: boolean) => {
    const scenario = waits();
    const requestId = scenario.of('permission.requested')[0]?.requestId as RequestId;
    return scenario.asks({ type: 'permission.answer', requestId, behavior: 'deny', interrupt });
  };
  expect(answered(true).state.paused).toBeDefined();
  expect(answered(false).state.paused).toBeUndefined();
});

test('[R43] what is queued continues in a new run, unless the queue is paused', () => {
  const crashed = () => SessionScenario.working().send('m2').asks({ type: 'queue.pause' }).exits({ code: 1, memory: 'taken' });
  expect(crashed().of('run.opened')).toHaveLength(1);
  const resumed = crashed().asks({ type: 'queue.resume' });
  expect([resumed.of('run.opened').length, delivered(resumed).at(-1)]).toEqual([2, 'm2']);
});

test('[R365] a message sent while the queue is paused waits behind the others', () => {
  const scenario = interrupted().send('m4');
  expect([delivered(scenario), waiting(scenario)]).toEqual([['m1'], ['m2', 'm3', 'm4']]);
});

test('[R365] resume and send continues the queue, with the new message last', () => {
  const scenario = interrupted().asks({ type: 'input.send', commandId: 'm4', text: 'x', resume: true });
  expect([delivered(scenario), waiting(scenario)]).toEqual([
    ['m1', 'm2'],
    ['m2', 'm3', 'm4'],
  ]);
});

for (const steer of [true, false]) {
  test(`[R365] sending one message now delivers it alone, also to an agent that ${steer ? 'takes' : 'doesn’t take'} messages mid-turn`, () => {
    const given = { can: { ...ALL_CAPABILITIES, steer } };
    const queued = interrupted()
      .with(given)
      .asks({ type: 'input.steer', target: id('m3') });
    expect([delivered(queued), waiting(queued), queued.state.paused !== undefined]).toEqual([['m1', 'm3'], ['m3', 'm2'], true]);
    const written = interrupted().with(given).asks({ type: 'input.send', commandId: 'm4', text: 'x', mode: 'steer' });
    expect(delivered(written)).toEqual(['m1', 'm4']);
    expect(delivered(written.says({ type: 'turn.began', cause: 'input' }, ended()))).toEqual(['m1', 'm4']);
  });
}

test('[R365] sending now wakes a session that was stopped with a paused queue', () => {
  const scenario = interrupted().asks({ type: 'session.stop' }).exits().send('m4');
  expect(scenario.state).toMatchObject({ run: { phase: 'none' }, status: { status: 'ended' } });
  expect(delivered(scenario.asks({ type: 'input.steer', target: id('m4') }))).toEqual(['m1', 'm4']);
});

test('[R366] clearing cancels what is queued, keeps what the agent has, and ends the pause', () => {
  const scenario = interrupted().asks({ type: 'queue.clear' });
  expect(scenario.of('input.cancelled').map((event) => event.commandId)).toEqual(['m2', 'm3']);
  expect(scenario.state.paused).toBeUndefined();
  expect(delivered(scenario.send('m4'))).toEqual(['m1', 'm4']);
  expect(waiting(SessionScenario.working().send('m2').asks({ type: 'queue.clear' }))).toEqual(['m1']);
});

test('[R366] the pause ends when its last message is cancelled', () => {
  const scenario = interrupted()
    .asks({ type: 'input.cancel', target: id('m2') })
    .asks({ type: 'input.cancel', target: id('m3') });
  expect(scenario.state.paused).toBeUndefined();
});

test('pausing twice is one pause, and resuming a queue that runs changes nothing', () => {
  expect(interrupted().asks({ type: 'queue.pause' }).of('queue.paused')).toHaveLength(1);
  expect(SessionScenario.working().send('m2').asks({ type: 'queue.resume' }).of('queue.resumed')).toEqual([]);
});

test('a session in line whose queue is paused leaves the line, and joins it again when the queue is resumed', () => {
  const scenario = new SessionScenario({ hasFreeSlot: false }).create('hello').asks({ type: 'queue.pause' });
  expect(scenario.state.status.status).toBe('sleeping');
  expect(scenario.asks({ type: 'queue.resume' }).state.status.cause).toBe('waiting for a free slot');
});
