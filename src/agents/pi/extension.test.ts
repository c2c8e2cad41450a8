import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { patchOfNewFile } from '../formats/whole-patch.ts';
import gate from './extension.ts';
import type { GateAnswer, GateOrders } from './gate-words.ts';

type Handler = (event: never, context: never) => unknown;

/** What Pi offers to an extension, as far as ours uses it, and what came of it. The real Pi runs it in the live suite. */
function inside(orders: Partial<GateOrders>, answer: GateAnswer | 'nobody' = 'nobody') {
  process.env.SIGNALBOX_PI_GATE = JSON.stringify(orders);
  onTestFinished(() => void delete process.env.SIGNALBOX_PI_GATE);
  const handlers = new Map<string, Handler>();
  const [asked, told]: [string[], string[]] = [[], []];
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
    setStatus: (_key: string, text: string) => void told.push(text),
  };
  const context = { cwd, ui, isIdle: () => true, waitForIdle: async () => void told.push('at rest') } as never;
  const fire = (name: string, event: object) => handlers.get(name)?.(event as never, context);
  const call = (toolName: string, input: object) => fire('tool_call', { toolCallId: 't1', toolName, input });
  return { asked, told, cwd, fire, call, order: (words: string) => commands.get('signalbox')?.(words, context) };
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
  test(`in the mode ${mode}, ${tool} ${asks ? 'is asked for' : 'runs unasked'}`, async () => {
    const pi = inside({ mode });
    await pi.call(tool, {});
    expect(pi.asked).toHaveLength(asks ? 1 : 0);
  });
}

test('orders that cannot be read are the strictest', async () => {
  const pi = inside({ mode: undefined as never });
  await pi.call('bash', {});
  expect(pi.asked).toHaveLength(1);
});

test('a refusal, or no answer, blocks the call and tells the model why', async () => {
  expect(await inside({}, { behavior: 'deny', message: 'not here' }).call('bash', {})).toEqual({ block: true, reason: 'Not allowed: not here' });
  expect(await inside({}).call('bash', {})).toMatchObject({ block: true });
});

test('arguments that a person changed take the place of the old ones', async () => {
  const input = { command: 'rm -rf /', timeout: 1 };
  expect(await inside({}, { behavior: 'allow', input: { command: 'ls' } }).call('bash', input)).toBeUndefined();
  expect(input).toEqual({ command: 'ls' });
});

test('a tool may be allowed or switched off for a session', async () => {
  const pi = inside({ allowed: ['bash'], denied: ['write'] });
  expect(await pi.call('bash', {})).toBeUndefined();
  expect(await pi.call('write', {})).toMatchObject({ block: true });
  expect(pi.asked).toEqual([]);
});

test('a new file gets its patch; one that was there does not', async () => {
  const pi = inside({ mode: 'acceptEdits' });
  writeFileSync(join(pi.cwd, 'old.txt'), 'old');
  await pi.call('write', { path: 'new.txt', content: 'a\nb\n' });
  expect(pi.fire('tool_result', { toolCallId: 't1', isError: false })).toEqual({ details: { created: true, patch: '@@ -0,0 +1,2 @@\n+a\n+b\n' } });
  await pi.call('write', { path: 'old.txt', content: 'new' });
  expect(pi.fire('tool_result', { toolCallId: 't1', isError: false })).toBeUndefined();
  expect(patchOfNewFile('')).toBe('@@ -0,0 +1,0 @@\n');
});

test('a message says which input of ours it was, or that it was none, and one that was refused is forgotten', async () => {
  const pi = inside({});
  await pi.order('input refused');
  await pi.order('input one with spaces');
  const spoke = (role: string) => pi.fire('message_end', { message: { role, content: 'hello' } });
  expect(spoke('assistant')).toBeUndefined();
  expect(spoke('user')).toEqual({ message: { role: 'user', content: 'hello', signalbox: { input: 'one with spaces' } } });
  expect(spoke('user')).toEqual({ message: { role: 'user', content: 'hello', signalbox: {} } });
});

test('the mode can be changed while Pi runs, and is reported', async () => {
  const pi = inside({});
  await pi.order('mode bypassPermissions');
  await pi.order('mode nonsense');
  expect(pi.told.map((text) => (JSON.parse(text) as { mode: string }).mode)).toEqual(['bypassPermissions']);
  await pi.call('bash', {});
  expect(pi.asked).toEqual([]);
});

test('the answer to the order to rest comes when Pi is at rest', async () => {
  const pi = inside({});
  await pi.order('rest');
  expect(pi.told).toEqual(['at rest']);
});
