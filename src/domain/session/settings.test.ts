import { expect, test } from 'vitest';
import { ABLE, asks, Story } from '../story.ts';
import { optionsNow } from './settings.ts';

test('[R139] a wish is told to the agent, and only its confirmation changes what is shown', () => {
  const story = Story.ready().asks({ type: 'model.set', model: 'opus' });
  expect(story.effects).toMatchObject([{ type: 'send-setting', setting: 'model', value: 'opus' }]);
  expect(story.state.model).toBeNull();
  expect(story.says({ type: 'model.changed', model: 'opus', reason: 'asked for' }).state.model).toBe('opus');
});

test('[R140] a wish holds for every later process', () => {
  const story = Story.ready().asks({ type: 'mode.set', mode: 'plan' }).asks({ type: 'thinking.set', thinking: 'high' });
  expect(optionsNow(story.state)).toMatchObject({ permissionMode: 'plan', thinking: 'high' });
});

test('one that the agent refuses holds no longer', () => {
  const story = Story.ready().asks({ type: 'model.set', commandId: 'w', model: 'bogus' });
  story.says({ type: 'setting.refused', commandId: 'w' as never, setting: 'model', value: 'bogus', reason: 'no such model' });
  expect(optionsNow(story.state).model).toBeUndefined();
});

test('a session whose plan was approved does not wake in plan mode again', () => {
  const story = Story.working().says({ ...asks('p1'), kind: 'plan' } as Parameters<Story['says']>[0]);
  const requestId = story.state.permissions[0]?.requestId as never;
  story.asks({ type: 'permission.answer', requestId, behavior: 'allow', mode: 'acceptEdits' });
  expect(optionsNow(story.state).permissionMode).toBe('acceptEdits');
  expect(optionsNow(story.says({ type: 'mode.changed', mode: 'default', reason: 'the agent' }).state).permissionMode).toBe('default');
});

test('a sleeping session keeps the wish for its next process', () => {
  const story = Story.ready().asks({ type: 'session.sleep' }).exits({ code: 0 }).asks({ type: 'model.set', model: 'opus' });
  expect([story.effects, optionsNow(story.state).model]).toEqual([[], 'opus']);
});

const unable = [
  ['its model', { setModel: false }, { type: 'model.set', model: 'opus' }],
  ['how much it thinks', { setThinking: false }, { type: 'thinking.set', thinking: 'low' }],
  ['its mode', { modes: [] }, { type: 'mode.set', mode: 'plan' }],
] as const;
for (const [name, lack, command] of unable) {
  test(`an agent that cannot change ${name} says so`, () => {
    const story = Story.ready({ can: { ...ABLE, ...lack, modes: 'modes' in lack ? [] : ABLE.modes } }).asks(command);
    expect(story.refusal?.refused).toBe('not-supported');
  });
}

test('[R141] bypassing permissions needs the word of the operator', () => {
  const story = Story.ready().asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(story.refusal).toMatchObject({ refused: 'not-permitted' });
});

test('bypassing permissions needs a fresh process, which an idle agent gets at once', () => {
  const story = Story.ready({ mayBypass: true }).asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(story.of('run.ending')[0]?.reason).toBe('restart');
  story.exits({ code: 0 });
  expect(story.of('run.opened')).toHaveLength(2);
  expect(story.state.bypasses).toBe(true);
});

test('and a busy one is not cut off for it', () => {
  const story = Story.working().with({ mayBypass: true }).asks({ type: 'mode.set', mode: 'bypassPermissions' });
  expect(story.refusal?.refused).toBe('conflict');
});
