import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { patchOfNewFile } from '../formats/file-patch.ts';
import gate from './extension.ts';
import type { GateAnswer, GateSettings } from './extension-protocol.ts';

type Handler = (event: never, context: never) => unknown;

/** The part of Pi's extension API that ours uses, and what happened. The live suite runs it in the real Pi. */
function inside(settings: Partial<GateSettings>, answer: GateAnswer | 'nobody' = 'nobody') {
  process.env.SIGNALBOX_PI_GATE = JSON.stringify(settings);
  onTestFinished(() => void delete process.env.SIGNALBOX_PI_GATE);
  const handlers = new Map<string, Handler>();
  const [asked, observed]: [string[], string[]] = [[], []];
  const commands = new Map<string, (words: string, context: never) => Promise<void>>();
  gate({
    on: (name: string, handler: Handler) => void handlers.set(name, handler),
    registerCommand: (name: string, { handler }: { handler: (words: string, context: never) => Promise<void> }) => void commands.set(name, handler),
    getActiveTools: () => ['bash'],
  } as never);
  const cwd = temporaryFolder('pi-extension');
  const ui = {
    select: async (title: string) => {
      asked.push(title);
      return answer === 'nobody' ? undefined : JSON.stringify(answer);
    },
    setStatus: (_key: string, text: string) => void observed.push(text),
  };
  const context = { cwd, ui, isIdle: () => true, waitForIdle: async () => void observed.push('idle') } as never;
  const fire = (name: string, event: object) => handlers.get(name)?.(event as never, context);
  const call = (toolName: string, input: object) => fire('tool_call', { toolCallId: 't1', toolName, input });
  return { asked, observed, cwd, fire, call, command: (words: string) => commands.get('signalbox')?.(words, context) };
}

const cases = [
  ['default', 'read', false],
  ['default', 'grep', false],
  ['default', 'write', true],
  ['default', 'edit', true],
  ['default', 'bash', true],
  ['default', 'a_tool_of_some_extension', true],
  ['acceptEdits', 'write', false],
  ['acceptEdits', 'bash', true],
  ['bypassPermissions', 'bash', false],
] as const;
for (const [mode, tool, asks] of cases) {
  test(`in the mode ${mode}, ${tool} ${asks ? 'needs approval' : 'runs without asking'}`, async () => {
    const pi = inside({ mode });
    await pi.call(tool, {});
    expect(pi.asked).toHaveLength(asks ? 1 : 0);
  });
}

test('unreadable settings mean the strictest mode', async () => {
  const pi = inside({ mode: undefined as never });
  await pi.call('bash', {});
  expect(pi.asked).toHaveLength(1);
});

test('a denial, or no answer, blocks the call and explains why to the model', async () => {
  expect(await inside({}, { behavior: 'deny', message: 'not here' }).call('bash', {})).toEqual({ block: true, reason: 'Not allowed: not here' });
  expect(await inside({}).call('bash', {})).toMatchObject({ block: true });
});

test('arguments that a person edited replace the old ones', async () => {
  const input = { command: 'rm -rf /', timeout: 1 };
  expect(await inside({}, { behavior: 'allow', input: { command: 'ls' } }).call('bash', input)).toBeUndefined();
  expect(input).toEqual({ command: 'ls' });
});

test('a tool can be allowed or turned off for a session', async () => {
  const pi = inside({ allowed: ['bash'], denied: ['write'] });
  expect(await pi.call('bash', {})).toBeUndefined();
  expect(await pi.call('write', {})).toMatchObject({ block: true });
  expect(pi.asked).toEqual([]);
});

test('a new file gets its patch; an existing one does not', async () => {
  const pi = inside({ mode: 'acceptEdits' });
  writeFileSync(join(pi.cwd, 'old.txt'), 'old');
  await pi.call('write', { path: 'new.txt', content: 'a\nb\n' });
  expect(pi.fire('tool_result', { toolCallId: 't1', isError: false })).toEqual({ details: { created: true, patch: '@@ -0,0 +1,2 @@\n+a\n+b\n' } });
  await pi.call('write', { path: 'old.txt', content: 'new' });
  expect(pi.fire('tool_result', { toolCallId: 't1', isError: false })).toBeUndefined();
  expect(patchOfNewFile('')).toBe('@@ -0,0 +1,0 @@\n');
});

test('a message names the input of ours it is, or none; a refused one is forgotten', async () => {
  const pi = inside({});
  await pi.command('input refused');
  await pi.command('input one with spaces');
  const messageEnd = (role: string) => pi.fire('message_end', { message: { role, content: 'hello' } });
  expect(messageEnd('assistant')).toBeUndefined();
  expect(messageEnd('user')).toEqual({ message: { role: 'user', content: 'hello', signalbox: { input: 'one with spaces' } } });
  expect(messageEnd('user')).toEqual({ message: { role: 'user', content: 'hello', signalbox: {} } });
});

test('the mode can be changed while Pi runs, and is reported', async () => {
  const pi = inside({});
  await pi.command('mode bypassPermissions');
  await pi.command('mode nonsense');
  expect(pi.observed.map((text) => (JSON.parse(text) as { mode: string }).mode)).toEqual(['bypassPermissions']);
  await pi.call('bash', {});
  expect(pi.asked).toEqual([]);
});

test('the command that waits for idle is answered when Pi is idle', async () => {
  const pi = inside({});
  await pi.command('rest');
  expect(pi.observed).toEqual(['idle']);
});
