import { expect, test } from 'vitest';
import { ALL_CAPABILITIES, asks, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import { optionsNow } from './settings.ts';

test('[R139] a requested setting goes to the agent, and only its confirmation changes what is shown', () => {
  const scenario = SessionScenario.ready().asks({ type: 'model.set', model: 'opus' });
  expect(scenario.effects).toMatchObject([{ type: 'send-setting', setting: 'model', value: 'opus' }]);
  expect(scenario.state.model).toBeNull();
  expect(scenario.says({ type: 'model.changed', model: 'opus', reason: 'asked for' }).state.model).toBe('opus');
});

test('[R140] a requested setting applies to every later process', () => {
  const scenario = SessionScenario.ready().asks({ type: 'mode.set', mode: 'plan' }).asks({ type: 'thinking.set', thinking: 'high' });
  expect(optionsNow(scenario.state)).toMatchObject({ permissionMode: 'plan', thinking: 'high' });
});

test('a setting that the agent refuses no longer applies', () => {
  const scenario = SessionScenario.ready().asks({ type: 'model.set', commandId: 'w', model: 'bogus' });
  scenario.says({ type: 'setting.refused', commandId: 'w' as never, setting: 'model', value: 'bogus', reason: 'no such model' });
  expect(optionsNow(scenario.state).model).toBeUndefined();
});

test('a session whose plan was approved does not wake in plan mode again', () => {
  const scenario = SessionScenario.working().says({ ...asks('p1'), kind: 'plan' } as Parameters<SessionScenario['says']>[0]);
  const requestId = scenario.state.permissions[0]?.requestId as never;
  scenario.asks({ type: 'permission.answer', requestId, behavior: 'allow', mode: 'acceptEdits' });
  expect(optionsNow(scenario.state).permissionMode).toBe('acceptEdits');
  expect(optionsNow(scenario.says({ type: 'mode.changed', mode: 'default', reason: 'the agent' }).state).permissionMode).toBe('default');
});

test('a setting requested while the session sleeps applies to its next process', () => {
  const scenario = SessionScenario.ready().asks({ type: 'session.sleep' }).exits({ code: 0 }).asks({ type: 'model.set', model: 'opus' });
  expect([scenario.effects, optionsNow(scenario.state).model]).toEqual([[], 'opus']);
});

const unable = [
  ['its model', { setModel: false }, { type: 'model.set', model: 'opus' }],
  ['its thinking level', { setThinking: false }, { type: 'thinking.set', thinking: 'low' }],
  ['its mode', { modes: [] }, { type: 'mode.set', mode: 'plan' }],
] as const;
for (const [name, lack, command] of unable) {
  test(`a request to an agent that cannot change ${name} is refused`, () => {
    const scenario = SessionScenario.ready({ can: { ...ALL_CAPABILITIES, ...lack, modes: 'modes' in lack ? [] : ALL_CAPABILITIES.modes } }).asks(command);
    expect(scenario.refusal?.refused).toBe('not-supported');
  });
}

test('[R141] bypassing permissions must be allowed in the configuration', () => {
  const scenario = SessionScenario.ready().asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(scenario.refusal).toMatchObject({ refused: 'not-permitted' });
});

test('bypassing permissions needs a new process, which an idle agent gets at once', () => {
  const scenario = SessionScenario.ready({ mayBypass: true }).asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(scenario.of('run.ending')[0]?.reason).toBe('restart');
  scenario.exits({ code: 0 });
  expect(scenario.of('run.opened')).toHaveLength(2);
  expect(scenario.state.bypasses).toBe(true);
});

test('a busy agent is not restarted to bypass permissions', () => {
  const scenario = SessionScenario.working().with({ mayBypass: true }).asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(scenario.refusal?.refused).toBe('conflict');
});

const own = {
  ...ALL_CAPABILITIES,
  ownModes: [
    { id: 'autoEdit', name: 'Auto Edit' },
    { id: 'yolo', name: 'YOLO', bypasses: true },
  ],
};

test("a mode of the agent's own is requested by its id and applies to later processes; one that it doesn't offer is refused", () => {
  const scenario = SessionScenario.ready({ can: own }).asks({ type: 'mode.set', mode: 'autoEdit' });
  expect(scenario.effects).toMatchObject([{ type: 'send-setting', setting: 'mode', value: 'autoEdit' }]);
  expect(optionsNow(scenario.state)).toMatchObject({ ownMode: 'autoEdit' });
  expect(optionsNow(scenario.asks({ type: 'mode.set', mode: 'plan' }).state)).not.toHaveProperty('ownMode');
  expect(scenario.asks({ type: 'mode.set', mode: 'other' }).refusal?.refused).toBe('not-supported');
});

test("a mode of the agent's own in which nobody is asked needs the operator's permission", () => {
  expect(SessionScenario.ready({ can: own }).asks({ type: 'mode.set', mode: 'yolo' }).refusal?.refused).toBe('not-permitted');
  expect(SessionScenario.ready({ can: own, mayBypass: true }).asks({ type: 'mode.set', mode: 'yolo' }).refusal).toBeUndefined();
});
