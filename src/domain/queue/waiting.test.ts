import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import type { CommandId } from '../../protocol/ids.ts';

const id = (text: string): CommandId => text as CommandId;
const order = (scenario: SessionScenario): readonly string[] => scenario.state.queue.map((input) => input.commandId);
const busy = (): SessionScenario => SessionScenario.working().send('m2').send('m3').send('m4');

test('[R130] a queued message can be edited, and the edited text is delivered', () => {
  const scenario = busy().asks({ type: 'input.edit', target: id('m2'), text: 'better words' });
  expect(scenario.state.queue.find((input) => input.commandId === 'm2')?.text).toBe('better words');
  expect(scenario.says({ type: 'input.taken', inputId: 'in-m1' }, ended()).of('input.delivered').at(-1)?.commandId).toBe('m2');
});

test('a queued message can be moved before another one, or to the end', () => {
  expect(order(busy().asks({ type: 'input.move', target: id('m4'), before: id('m2') }))).toEqual(['m1', 'm4', 'm2', 'm3']);
  expect(order(busy().asks({ type: 'input.move', target: id('m2') }))).toEqual(['m1', 'm3', 'm4', 'm2']);
  expect(busy().asks({ type: 'input.move', target: id('m4'), before: id('m1') }).refusal?.refused).toBe('conflict');
});

test('a queued message can be cancelled, and never runs', () => {
  const scenario = busy()
    .asks({ type: 'input.cancel', target: id('m2') })
    .says({ type: 'input.taken', inputId: 'in-m1' }, ended());
  expect(order(scenario)).toEqual(['m3', 'm4']);
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'm3']);
});

const late = ['input.edit', 'input.move', 'input.cancel', 'input.steer'] as const;
for (const type of late) {
  test(`${type} is refused for a message that the agent has, and not found for one that is gone`, () => {
    const of = (target: string) => ({ type, target: id(target), text: 'x' }) as Parameters<SessionScenario['asks']>[0];
    expect(busy().asks(of('m1')).refusal?.refused).toBe('conflict');
    expect(busy().asks(of('m9')).refusal?.refused).toBe('not-found');
  });
}

test('[R131] a steering message joins the running turn at once and ends with it', () => {
  const scenario = SessionScenario.working()
    .send('m2')
    .asks({ type: 'input.steer', target: id('m2') });
  expect(scenario.effects).toMatchObject([{ type: 'send-input', commandId: 'm2' }]);
  scenario.says({ type: 'input.taken', inputId: 'in-m1' }, { type: 'input.taken', inputId: 'in-m2' });
  expect(scenario.of('user.message').map((event) => [event.commandId, event.turnId === scenario.of('turn.started')[0]?.turnId])).toEqual([
    ['m1', true],
    ['m2', true],
  ]);
  expect(order(scenario.says(ended()))).toEqual([]);
});

test('a steering message that the agent takes only after the turn gets its own turn, before queued messages', () => {
  const scenario = SessionScenario.working().send('m2').asks({ type: 'input.send', commandId: 'now', text: 'look here', mode: 'steer' }).says(ended());
  expect(order(scenario)).toEqual(['now', 'm2']);
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'now']);
  scenario.says({ type: 'turn.began', cause: 'input' }, { type: 'input.taken', inputId: 'in-now' }, ended());
  expect(scenario.of('turn.completed').map((event) => event.commandId)).toEqual(['m1', 'now']);
  expect(scenario.of('input.delivered').at(-1)?.commandId).toBe('m2');
});

test('a steering message sent before the turn starts joins it when it starts', () => {
  const scenario = SessionScenario.ready().send('m1').asks({ type: 'input.send', commandId: 'now', text: 'go', mode: 'steer' });
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1']);
  scenario.says({ type: 'turn.began', cause: 'input' });
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['m1', 'now']);
});

test('without a running turn, a steering message is an ordinary one', () => {
  const scenario = SessionScenario.ready().asks({ type: 'input.send', commandId: 'now', text: 'go', mode: 'steer' });
  expect(scenario.of('input.delivered').map((event) => event.commandId)).toEqual(['now']);
});

test('steering an agent that can’t be steered is refused, and the message stays queued', () => {
  const scenario = busy()
    .with({ can: { ...ALL_CAPABILITIES, steer: false } })
    .asks({ type: 'input.steer', target: id('m2') });
  expect([scenario.refusal?.refused, order(scenario)]).toEqual(['not-supported', ['m1', 'm2', 'm3', 'm4']]);
});

test('[R132] when the agent crashes, steering messages it never took are requeued in order', () => {
  const scenario = SessionScenario.working();
  for (const name of ['a', 'b']) scenario.asks({ type: 'input.send', commandId: name, text: name, mode: 'steer' });
  scenario.send('m2').exits({ memory: { [id('m1')]: 'taken', [id('a')]: 'absent', [id('b')]: 'absent' } });
  expect(order(scenario)).toEqual(['a', 'b', 'm2']);
  expect(scenario.of('input.delivered').at(-1)?.commandId).toBe('a');
});

test('when the agent crashes, a steering message is closed with the turn it joined', () => {
  const scenario = SessionScenario.working()
    .asks({ type: 'input.send', commandId: 'a', text: 'a', mode: 'steer' })
    .says({ type: 'input.taken', inputId: 'in-a' });
  scenario.exits({ memory: 'unknown' });
  expect(order(scenario)).toEqual([]);
  expect(scenario.of('input.returned')).toEqual([]);
});
