import { expect, test } from 'vitest';
import { hooks } from './hooks.ts';
import { messageInFeedback } from './records/stop-feedback.ts';

const ID = '0f6a0c9e-7f3b-4a55-9c1e-2b7d9f0a1c3d';

test('[R536] the message that a Stop hook hands over is found again in the record, by its id', () => {
  const text = 'Now the tests.\n\n[signalbox message not-this]';
  const { decision, reason } = JSON.parse(hooks.message(text, ID));
  expect(decision).toBe('block');
  expect(messageInFeedback(`Stop hook feedback:\n${reason}`)).toEqual({ text, messageId: ID });
  for (const other of [`Stop hook feedback:\n${text}`, reason, undefined, [{ type: 'text', text: reason }]]) expect(messageInFeedback(other)).toBeUndefined();
});

const given = { session_id: '9e19817f-7cba-4b32-aa11-738503592ac7', cwd: '/p', permission_mode: 'default' };

test('a request and its end are read from what 2.1.197 and 2.1.325 give to a hook', () => {
  const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  const input = { file_path: '/p/a.txt', content: 'hi' };
  const asked = { ...given, hook_event_name: 'PermissionRequest', tool_name: 'Write', tool_input: input, permission_suggestions: suggestions };
  expect(hooks.read(asked)).toMatchObject({
    kind: 'asked',
    request: 'tool',
    tool: 'Write',
    input,
    suggestions,
    subject: { kind: 'edit', paths: ['/p/a.txt'] },
  });
  expect(hooks.read({ ...asked, tool_name: 'AskUserQuestion' })).toMatchObject({ request: 'question' });
  expect(hooks.read({ ...asked, hook_event_name: 'PostToolUseFailure' })).toMatchObject({ kind: 'ran', tool: 'Write', input });
  expect(hooks.read({ ...given, hook_event_name: 'Stop', stop_hook_active: true })).toMatchObject({ kind: 'told', event: 'Stop', isContinuing: true });
});

test('what is not for us, and what is broken, leads to nothing', () => {
  const notice = { ...given, hook_event_name: 'Notification', message: 'Claude needs your permission' };
  expect(hooks.read({ ...notice, notification_type: 'permission_prompt' })).toBeUndefined();
  expect(hooks.read({ ...notice, notification_type: 'idle_prompt' })).toMatchObject({ event: 'Notification', text: 'Claude needs your permission' });
  for (const wrong of [null, {}, { ...given }, { ...given, hook_event_name: 'PermissionRequest' }, { ...given, session_id: '../x', hook_event_name: 'Stop' }])
    expect(hooks.read(wrong)).toBeUndefined();
});

test('a decision is what the CLI takes from a hook: denied with words, allowed with changes and answers', () => {
  const decision = (verdict: Parameters<typeof hooks.decision>[0]) => JSON.parse(hooks.decision(verdict, { command: 'ls' })).hookSpecificOutput;
  expect(decision({ behavior: 'deny', message: 'not today', interrupt: false })).toEqual({
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'deny', message: 'not today' },
  });
  expect(decision({ behavior: 'allow', updatedInput: { command: 'pwd' } }).decision).toEqual({ behavior: 'allow', updatedInput: { command: 'pwd' } });
  expect(decision({ behavior: 'allow', answers: { 'Which?': ['A', 'B'] } }).decision.updatedInput).toEqual({ command: 'ls', answers: { 'Which?': 'A, B' } });
});

test('settings in which hooks can’t work are named', () => {
  expect(hooks.obstacle({ disableAllHooks: true })).toContain('disableAllHooks');
  expect(hooks.obstacle({ permissions: { defaultMode: 'auto' } })).toContain('never asks');
  expect([hooks.obstacle({}), hooks.obstacle(undefined), hooks.obstacle({ permissions: { defaultMode: 'plan' } })]).toEqual([undefined, undefined, undefined]);
});
