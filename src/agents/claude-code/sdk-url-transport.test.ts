import { expect, test } from 'vitest';
import type { LaunchContext } from '../port/adapter.ts';
import { launch } from './launch.ts';
import { unsupportedReason } from './sdk-url-transport.ts';

const context: LaunchContext = {
  executable: '/bin/claude',
  packageRoot: '/opt/signalbox',
  cwd: '/home/dev/proj',
  options: { transport: 'dial-in', model: 'opus' },
  mode: 'new',
  agentSessionId: 'U',
  env: {},
};

test('with --sdk-url, the bridge is started with the CLI and its arguments, without permission flags', () => {
  const { command, args } = launch(context);
  expect(command).toBe(process.execPath);
  const bridge = args.indexOf('/opt/signalbox/src/agents/claude-code/bridge/program.ts');
  expect(args.slice(bridge + 1, bridge + 4)).toEqual(['/bin/claude', '-p', '--model=opus']);
  expect(args.slice(-2)).toEqual(['--session-id', 'U']);
  expect(args).not.toContain('--permission-prompt-tool');
});

test('with --sdk-url, a CLI that needs an interpreter is started by it', () => {
  const { args } = launch({ ...context, interpreter: '/opt/node/bin/node' });
  const bridge = args.indexOf('/opt/signalbox/src/agents/claude-code/bridge/program.ts');
  expect(args.slice(bridge + 1, bridge + 4)).toEqual(['/opt/node/bin/node', '/bin/claude', '-p']);
});

test('--sdk-url is used only when the session asks for it', () => {
  expect(launch({ ...context, options: {} }).command).toBe('/bin/claude');
  expect(launch({ ...context, options: { transport: 'stdio' } }).command).toBe('/bin/claude');
});

const versions = [
  ['2.1.47', undefined],
  ['2.1.120', undefined],
  ['1.9.999', undefined],
  ['2.0.200', undefined],
  ['2.1.121', /2\.1\.121 cannot dial in.*up to 2\.1\.120/],
  ['2.1.325', /2\.1\.325 cannot dial in/],
  ['2.2.0', /cannot dial in/],
  ['3.0.0', /cannot dial in/],
  ['2.1', /tell whether/],
  [undefined, /version unknown/],
] as const;

for (const [version, words] of versions) {
  test(`version ${version} ${words === undefined ? 'can' : 'cannot'} connect with --sdk-url`, () => {
    const reason = unsupportedReason({ transport: 'dial-in' }, version);
    if (words === undefined) expect(reason).toBeUndefined();
    else expect(reason).toMatch(words);
    expect(unsupportedReason({}, version)).toBeUndefined();
  });
}
