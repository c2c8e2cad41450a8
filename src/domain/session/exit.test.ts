import { expect, test } from 'vitest';
import { asks, ended, SessionScenario, startsTool } from '../../../test/support/domain/session-scenario.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { DEATHS_BEFORE_HOLD } from './advance.ts';
import type { Exit } from './exit.ts';

test('[R40] a message the agent never took is returned and sent again under the same id', () => {
  const scenario = SessionScenario.ready().send('m1').send('m2').exits({ memory: 'absent' });
  expect(scenario.of('input.returned').map((event) => event.commandId)).toEqual(['m1']);
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm1']);
  expect(new Set(scenario.of('input.delivered').map((event) => event.run)).size).toBe(2);
});

const taken: readonly [string, (scenario: SessionScenario) => SessionScenario, Partial<Exit>][] = [
  ['its turn had started', (scenario) => scenario.says({ type: 'turn.began', cause: 'input' }), { memory: 'absent' }],
  ['the agent had echoed it', (scenario) => scenario.says({ type: 'input.taken', inputId: 'in-m1' }), { memory: 'absent' }],
  ['the agent file has it', (scenario) => scenario, { memory: 'taken' }],
  ['the agent file has the answer', (scenario) => scenario, { memory: 'answered' }],
];
for (const [name, given, exit] of taken) {
  test(`[R41] a message is closed as interrupted and never sent again when ${name}`, () => {
    const scenario = given(SessionScenario.ready().send('m1')).exits(exit);
    expect(scenario.of('input.delivered')).toHaveLength(1);
    expect(scenario.of('input.returned')).toEqual([]);
    expect(scenario.of('input.consumed').map((event) => event.commandId)).toEqual(['m1']);
    expect(scenario.of('turn.completed')).toMatchObject([{ interrupted: true, stopReason: 'agent_exited', isError: true }]);
    expect(scenario.state.queue).toEqual([]);
    expect(scenario.state.status).toMatchObject({ status: 'failed', cause: 'session.exited' });
  });
}

test('[R42] requests lapse and tools are closed when the agent is gone', () => {
  const scenario = SessionScenario.working().says(startsTool('t1'), asks('p1')).exits();
  expect(scenario.of('permission.resolved')).toMatchObject([{ outcome: 'lapsed', message: 'the agent exited' }]);
  expect(scenario.of('tool.completed')).toMatchObject([{ toolUseId: 't1', isError: true, closedBy: 'the agent exited' }]);
  expect(scenario.state).toMatchObject({ permissions: [], openTools: [], turn: { phase: 'idle' } });
});

test('[R43] queued messages continue in a new run', () => {
  const scenario = SessionScenario.working().send('m2').exits();
  expect(scenario.of('run.opened')).toHaveLength(2);
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm2']);
});

test('[R44] an agent that keeps crashing pauses the queue until a person acts', () => {
  const scenario = SessionScenario.ready().send('m1');
  for (let death = 0; death < DEATHS_BEFORE_HOLD; death += 1) scenario.exits({ memory: 'absent' });
  expect(scenario.state.run.phase).toBe('none');
  expect(scenario.state.status.status).toBe('failed');
  expect(scenario.state.queue.map((input) => input.commandId)).toEqual(['m1']);
  scenario.send('m2');
  expect(scenario.state.run.phase).toBe('opened');
  expect(scenario.of('input.delivered').at(-1)?.commandId).toBe('m1');
});

// Found by the chaos test, seed 403: three servers killed one after the other paused the queue of an agent that had never been started.
test('[R47] a run that never started does not count as a crash: its message is sent again, however often', () => {
  const scenario = SessionScenario.ready().send('m1');
  for (let server = 0; server < DEATHS_BEFORE_HOLD + 1; server += 1) scenario.exits({ code: null, memory: 'absent', neverBegan: true });
  expect(scenario.state).toMatchObject({ deaths: 0, run: { phase: 'opened' } });
  expect(scenario.of('session.exited').map((event) => event.reason)).toEqual(Array(DEATHS_BEFORE_HOLD + 1).fill('never-began'));
});

test('a session whose run never started sleeps if nothing is queued', () => {
  const scenario = SessionScenario.ready().exits({ code: null, neverBegan: true });
  expect(scenario.state.status).toMatchObject({ status: 'sleeping', cause: 'session.exited' });
});

test('a finished turn resets the crash count', () => {
  const scenario = SessionScenario.ready().send('m1').exits({ memory: 'absent' }).exits({ memory: 'absent' });
  scenario.says({ type: 'agent.ready' }, { type: 'turn.began', cause: 'input' }, ended());
  expect(scenario.state.deaths).toBe(0);
});

test('[R45] a stopped session stays stopped until the next message, even with queued messages', () => {
  const scenario = SessionScenario.working().send('m2').asks({ type: 'session.stop' }).exits({ code: 1 });
  expect(scenario.state.status).toMatchObject({ status: 'ended', cause: 'session.exited' });
  expect(scenario.state.run.phase).toBe('none');
  expect(scenario.state.queue.map((input) => input.commandId)).toEqual(['m2']);
});

const order = (scenario: SessionScenario): readonly string[] => scenario.state.queue.map((input) => input.commandId);
const delivered = (scenario: SessionScenario): readonly string[] => scenario.of('input.delivered').map((event) => event.commandId);
const stopping = (): SessionScenario => SessionScenario.working().asks({ type: 'session.stop' });

test('[R45] a message sent between a stop and the exit goes to the next run', () => {
  const scenario = stopping().send('m2');
  expect([scenario.state.run.phase, delivered(scenario)]).toEqual(['ending', ['m1']]);
  scenario.exits({ code: 1 });
  expect(scenario.of('session.exited')).toMatchObject([{ reason: 'stop' }]);
  expect(scenario.state).toMatchObject({ run: { phase: 'opened' }, status: { status: 'starting' } });
  expect(delivered(scenario)).toEqual(['m1', 'm2']);
});

test('[R45] messages queued before the stop are delivered before the one sent after it', () => {
  const scenario = SessionScenario.working().send('m2').asks({ type: 'session.stop' }).send('m3').exits();
  expect([delivered(scenario), order(scenario)]).toEqual([
    ['m1', 'm2'],
    ['m2', 'm3'],
  ]);
});

test('[R45] stopping again holds back messages sent since the first stop, until the next message', () => {
  const scenario = stopping().send('m2').asks({ type: 'session.stop' });
  expect(scenario.effects).toEqual([]); // it is already ending
  scenario.exits();
  expect([scenario.state.status.status, order(scenario)]).toEqual(['ended', ['m2']]);
  expect(delivered(scenario.send('m3'))).toEqual(['m1', 'm2']);
  expect(delivered(stopping().send('m2').asks({ type: 'session.stop' }).send('m3').exits())).toEqual(['m1', 'm2']);
});

test('[R45] a message that was sent after the stop and cancelled wakes nothing', () => {
  const scenario = SessionScenario.working().send('m2').asks({ type: 'session.stop' }).send('m3');
  scenario.asks({ type: 'input.cancel', target: 'm3' as CommandId }).exits();
  expect([scenario.state.status.status, order(scenario)]).toEqual(['ended', ['m2']]);
});

test('[R45] steering a queued message after the stop counts like sending a new one', () => {
  const scenario = SessionScenario.working().send('m2').asks({ type: 'session.stop' });
  expect(delivered(scenario.asks({ type: 'input.steer', target: 'm2' as CommandId }).exits())).toEqual(['m1', 'm2']);
});

test('a stop also counts while the process is ending for another reason', () => {
  const asleep = SessionScenario.ready().asks({ type: 'session.sleep' }).send('m1').asks({ type: 'session.stop' }).exits();
  expect([asleep.state.status.status, order(asleep)]).toEqual(['ended', ['m1']]);
  const restarting = SessionScenario.ready({ mayBypass: true }).asks({ type: 'mode.set', mode: 'bypassPermissions' }).asks({ type: 'session.stop' }).exits();
  expect([restarting.state.status.status, restarting.of('run.opened').length]).toEqual(['ended', 1]);
});

test('a message sent while the agent goes to sleep wakes it afterwards', () => {
  expect(delivered(SessionScenario.ready().asks({ type: 'session.sleep' }).send('m1').exits())).toEqual(['m1']);
});

for (const type of ['session.stop', 'session.sleep'] as const) {
  test(`a wake between ${type} and the exit starts the next process`, () => {
    const scenario = SessionScenario.ready().asks({ type }).asks({ type: 'session.wake' }).exits();
    expect(scenario.state.run.phase).toBe('opened');
  });
}

test('a message sent after the stop of a session that is then deleted wakes nothing', () => {
  const scenario = stopping().send('m2').asks({ type: 'session.delete' }).exits();
  expect(scenario.of('run.opened')).toHaveLength(1);
});

test('a message sent after the stop waits for a free slot, and the session says so', () => {
  const scenario = stopping().send('m2').with({ hasFreeSlot: false }).exits();
  expect(scenario.state.status).toMatchObject({ status: 'starting', cause: 'waiting for a free slot' });
  expect(delivered(scenario.with({ hasFreeSlot: true }).advances())).toEqual(['m1', 'm2']);
});

test('a message sent after the stop waits while another program has the conversation open', () => {
  const scenario = stopping().send('m2').notes({ type: 'driver.found', pid: 7 }).exits();
  expect(scenario.state).toMatchObject({ run: { phase: 'none' }, status: { status: 'sleeping' } });
  expect(delivered(scenario.losesDriver())).toEqual(['m1', 'm2']);
});

test('[R134] a message interrupted before the agent received it is not sent again after a stop', () => {
  const scenario = SessionScenario.ready().send('m1').asks({ type: 'turn.interrupt' }).asks({ type: 'session.stop' }).send('m2').exits({ memory: 'absent' });
  expect([delivered(scenario), scenario.of('input.cancelled').map((event) => event.commandId)]).toEqual([['m1', 'm2'], ['m1']]);
});

test('an agent that cannot be started says why and is not retried automatically', () => {
  const scenario = new SessionScenario().create('hello').exits({ couldNotStart: 'there is no such program' });
  expect(scenario.of('notice.shown')).toMatchObject([{ level: 'error', text: 'there is no such program' }]);
  expect(scenario.state.status.status).toBe('failed');
  expect(scenario.of('run.opened')).toHaveLength(1);
  expect(scenario.state.queue).toHaveLength(1);
});

test('the last error output of a crashed agent is shown, that of a stopped one is not', () => {
  expect(SessionScenario.working().exits({ lastWords: 'out of memory' }).of('notice.shown')).toMatchObject([{ level: 'error', text: 'out of memory' }]);
  expect(SessionScenario.working().exits({ lastWords: '' }).of('notice.shown')).toEqual([]);
  expect(SessionScenario.working().asks({ type: 'session.stop' }).exits({ lastWords: 'bye' }).of('notice.shown')).toEqual([]);
});

test('the exit of another run changes nothing', () => {
  const scenario = SessionScenario.ready();
  const before = scenario.state;
  scenario.exits({ run: 'another' as never });
  expect(scenario.state).toEqual(before);
});

test('an agent that exits on its own with nothing to do has finished', () => {
  expect(SessionScenario.ready().exits({ code: 0 }).of('session.exited')).toMatchObject([{ reason: 'finished' }]);
  expect(SessionScenario.ready().exits({ code: 1 }).of('session.exited')).toMatchObject([{ reason: 'died' }]);
});

test('[R134] a message interrupted before a stuck agent took it is not sent again automatically', () => {
  const scenario = SessionScenario.ready().send('m1').send('m2').asks({ type: 'turn.interrupt', commandId: 'i1' });
  scenario.overdue('i1').exits({ memory: 'absent' });
  expect(scenario.of('input.cancelled').map((event) => event.commandId)).toEqual(['m1']);
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  expect(scenario.asks({ type: 'queue.resume' }).of('input.delivered').at(-1)?.commandId).toBe('m2');
});

test('a stuck agent gets a new process at once, and the session is ready', () => {
  const scenario = SessionScenario.working().asks({ type: 'turn.interrupt', commandId: 'i1' }).overdue('i1').exits();
  expect(scenario.of('turn.completed')[0]).toMatchObject({ interrupted: true, stopReason: 'agent_stopped', isError: false });
  expect(scenario.of('run.opened').map((event) => event.mode)).toEqual(['new', 'resume']);
});

test('interrupting again gives a stuck agent no extra time', () => {
  const scenario = SessionScenario.working().asks({ type: 'turn.interrupt', commandId: 'i1' }).asks({ type: 'turn.interrupt', commandId: 'i2' });
  expect(scenario.overdue('i1').of('run.ending')[0]?.reason).toBe('stuck');
});

test('an interrupt ends when the message it was for is dropped', () => {
  const scenario = SessionScenario.ready()
    .send('m1')
    .asks({ type: 'turn.interrupt', commandId: 'i1' })
    .says({ type: 'input.dropped', inputId: 'in-m1', reason: 'interrupted' });
  expect(scenario.overdue('i1').of('run.ending')).toEqual([]);
});

const context: readonly (readonly [string, (scenario: SessionScenario) => SessionScenario])[] = [
  ['the disk has room again', (scenario) => scenario.advances()],
  ['another program closed the conversation', (scenario) => scenario.notes({ type: 'driver.found', pid: 7 }).losesDriver()],
];
for (const [name, happens] of context) {
  test(`a stopped session with queued messages stays stopped when ${name}`, () => {
    const scenario = happens(SessionScenario.working().send('m2').asks({ type: 'session.stop' }).exits());
    expect(scenario.of('run.opened')).toHaveLength(1);
    expect(scenario.send('m3').of('run.opened')).toHaveLength(2);
  });
}

test('an agent with a running subagent is interrupted before its input ends', () => {
  const helper = { type: 'task.updated', taskId: 'h', toolUseId: 't1', kind: 'subagent', status: 'running' } as const;
  const scenario = SessionScenario.working().says(helper).says(ended()).asks({ type: 'session.stop' });
  expect(scenario.effects).toMatchObject([{ type: 'end', midTurn: true }]);
});
