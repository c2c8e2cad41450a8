import { expect, test } from 'vitest';
import { CommandId } from '../../protocol/ids.ts';
import type { SendIntent } from '../port/adapter.ts';
import { openclaw } from './index.ts';

const commandId = CommandId.parse('c1');
const state = { ...openclaw.initial(), key: 'k' };
const sent = (intent: SendIntent) => openclaw.encode(intent, state).map((line) => JSON.parse(line));

test('a message is a run named after its input; a steering message says so, and images are included', () => {
  const images = [{ mediaType: 'image/png', base64: 'AA==' }];
  expect(sent({ kind: 'input', commandId, text: 'x', images: [], steer: false })).toMatchObject([
    { method: 'chat.send', params: { sessionKey: 'k', message: 'x', idempotencyKey: openclaw.inputId(commandId), queueMode: 'interrupt' } },
  ]);
  expect(sent({ kind: 'input', commandId, text: 'x', images, steer: true })).toMatchObject([
    { params: { queueMode: 'steer', attachments: [{ type: 'image', mimeType: 'image/png', content: 'AA==' }] } },
  ]);
});

test('settings are session overrides', () => {
  const patch = (setting: 'model' | 'mode' | 'thinking', value: string) => sent({ kind: 'set', commandId, setting, value } as SendIntent)[0].params;
  expect(patch('model', 'a/b')).toEqual({ key: 'k', model: 'a/b' });
  expect(patch('mode', 'auto')).toEqual({ key: 'k', permissionMode: 'workspace' });
  expect(patch('thinking', 'high')).toEqual({ key: 'k', thinkingLevel: 'high' });
});

const verdicts = [
  ['allowed', { behavior: 'allow' }, 'allow-once'],
  ['allowed unchanged', { behavior: 'allow', updatedInput: { command: 'ls' } }, 'allow-once'],
  ['allowed with another command', { behavior: 'allow', updatedInput: { command: 'rm' } }, 'deny'],
  ['allowed permanently', { behavior: 'allow', granted: { suggestions: [{}], forSession: false } }, 'allow-always'],
  ['denied', { behavior: 'deny', message: '', interrupt: false }, 'deny'],
] as const;
for (const [name, verdict, decision] of verdicts) {
  test(`a request that is ${name} gets ${decision}`, () => {
    const lines = sent({ kind: 'answer', agentRequestId: 'exec:a', input: { command: 'ls' }, verdict });
    expect(lines).toMatchObject([{ method: 'exec.approval.resolve', params: { id: 'a', decision } }]);
  });
}

test('a denial that stops the turn says both', () => {
  const lines = sent({ kind: 'answer', agentRequestId: 'exec:a', input: {}, verdict: { behavior: 'deny', message: '', interrupt: true } });
  expect(lines.map(({ method }) => method)).toEqual(['exec.approval.resolve', 'chat.abort']);
});

test('options that one session cannot have are refused with a reason', () => {
  expect(openclaw.unsupportedReason?.({}, undefined, openclaw.capabilities)).toBeUndefined();
  expect(openclaw.unsupportedReason?.({ permissionMode: 'plan' }, undefined, openclaw.capabilities)).toContain('default, auto, bypassPermissions');
  expect(openclaw.unsupportedReason?.({ systemPrompt: 'x' }, undefined, openclaw.capabilities)).toContain('systemPrompt');
  expect(openclaw.unsupportedReason?.({ ephemeral: true }, undefined, openclaw.capabilities)).toContain('bypassPermissions');
  expect(openclaw.unsupportedReason?.({ ephemeral: true, permissionMode: 'bypassPermissions' }, undefined, openclaw.capabilities)).toBeUndefined();
});

test('the subject of a call is its command, its files or its address', () => {
  expect(openclaw.subjectOf('exec', { command: 'ls', workdir: '/x' })).toEqual({ kind: 'command', command: 'ls', cwd: '/x' });
  expect(openclaw.subjectOf('apply_patch', { input: '*** Begin Patch\n*** Add File: a.txt\n+x\n' })).toEqual({ kind: 'edit', paths: ['a.txt'] });
  expect(openclaw.subjectOf('read', { path: 'a.txt' })).toEqual({ kind: 'read', paths: ['a.txt'] });
  expect(openclaw.subjectOf('web_fetch', { url: 'http://x' })).toEqual({ kind: 'web', url: 'http://x' });
  expect(openclaw.subjectOf('sessions_spawn', {})).toEqual({ kind: 'other' });
});
