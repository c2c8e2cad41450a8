import { expect, test } from 'vitest';
import type { LaunchContext } from '../port/adapter.ts';
import { launch, unsupportedReason } from './launch.ts';
import { locate } from './locate.ts';

const context: LaunchContext = {
  executable: '/bin/pi',
  packageRoot: '/opt/signalbox',
  cwd: '/work',
  env: { HOME: '/home/dev' },
  options: {},
  mode: 'new',
  agentSessionId: 'id',
};

test('Pi is started in RPC mode with the extension that asks for permission', () => {
  const { command, args, env } = launch(context);
  expect([command, ...args]).toEqual(['/bin/pi', '--mode', 'rpc', '-e', '/opt/signalbox/src/agents/pi/extension.ts']);
  expect(JSON.parse(env.SIGNALBOX_PI_GATE ?? '')).toEqual({ mode: 'default', allowed: [], denied: [] });
});

test('a session is resumed, copied, or not stored at all', () => {
  expect(launch({ ...context, mode: 'resume' }).args.slice(-2)).toEqual(['--session', 'id']);
  expect(launch({ ...context, mode: 'fork', forkSessionId: 'other' }).args.slice(-2)).toEqual(['--fork', 'id']);
  expect(launch({ ...context, options: { ephemeral: true } }).args.at(-1)).toBe('--no-session');
});

test("a person's choices are passed on", () => {
  const options = { model: 'local/small', thinking: 'max', appendSystemPrompt: '-brief', permissionMode: 'acceptEdits', allowedTools: ['bash'] } as const;
  const { args, env } = launch({ ...context, options: { ...options, allowedTools: [...options.allowedTools] } });
  expect(args.slice(0, 6)).toEqual(['--model', 'local/small', '--thinking', 'xhigh', '--append-system-prompt', '-brief']);
  expect(JSON.parse(env.SIGNALBOX_PI_GATE ?? '')).toEqual({ mode: 'acceptEdits', allowed: ['bash'], denied: [] });
});

test("a person's own flags come before ours, with their values as separate arguments", () => {
  expect(launch({ ...context, options: { flags: ['--no-skills', '--tools=read,bash'] } }).args.slice(0, 4)).toEqual([
    '--no-skills',
    '--tools',
    'read,bash',
    '--mode',
  ]);
});

test('what Pi cannot do is refused with a reason', () => {
  expect(unsupportedReason({})).toBeUndefined();
  expect(unsupportedReason({ permissionMode: 'plan' })).toContain('default, acceptEdits, bypassPermissions');
  expect(unsupportedReason({ maxTurns: 3 })).toContain('`maxTurns`');
  expect(unsupportedReason({ transport: 'dial-in' })).toContain('transport');
});

test('a Node version that is too old is named', () => {
  const syntaxError = (version: string) => `exit code 1: import { globSync } from "node:fs"; SyntaxError: no export named 'globSync' … Node.js v${version}`;
  expect(locate.explain?.(syntaxError('20.20.2'))).toBe('it needs Node ≥ 22.19, found 20.20.2');
  expect(locate.explain?.(syntaxError('24.21.0'))).toBeUndefined();
  expect(locate.explain?.('exit code 1: something else')).toBeUndefined();
});
