import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { claudeCode } from '../agents/claude-code/index.ts';
import { demo } from '../agents/demo/index.ts';
import type { Adapter } from '../agents/port/adapter.ts';
import { optionSizeProblem } from '../programs/option-bounds.ts';
import { refusedEnv } from '../programs/option-environment.ts';
import { checkedFlags } from '../programs/option-flags.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { SessionOptions } from '../protocol/session.ts';
import { type admit, refusedMode } from './admission.ts';
import type { EngineDeps } from './loop/engine-deps.ts';

const S1 = 's1' as SessionId;

const refusedNames = [
  ...['PATH', 'path', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'NODE_PATH', 'BASH_ENV', 'BASH_FUNC_ls', 'ENV', 'SHELL', 'IFS'],
  ...['PYTHONPATH', 'PYTHONSTARTUP', 'PYTHONHOME', 'PERL5LIB', 'PERL5OPT', 'RUBYOPT', 'RUBYLIB', 'JAVA_TOOL_OPTIONS', 'BUN_OPTIONS', 'BUN_BE_BUN', 'HOME'],
  ...['GIT_SSH_COMMAND', 'GIT_EXEC_PATH', 'GIT_EXTERNAL_DIFF', 'GIT_CONFIG_COUNT', 'GIT_DIR', 'GIT_AUTHOR_NAMES', 'EDITOR', 'PAGER', 'XDG_CONFIG_HOME'],
  ...['npm_config_script_shell', 'SIGNALBOX_TOKEN', 'SIGNALBOX_RUN', 'GCONV_PATH', 'PROMPT_COMMAND'],
  ...['CLAUDECODE', 'CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_SHELL_PREFIX', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_ENV_FILE', 'CLAUDE_CODE_MAX_RETRIES_X', 'IS_SANDBOX'],
  ...['', '1A', 'A B', 'A=B', 'A-B', 'Ä', 'A\n'],
];
for (const name of refusedNames) {
  test(`the variable ${JSON.stringify(name)} can't be set for a session`, () =>
    expect(refusedEnv(claudeCode, { FINE: '1', [name]: 'x' })).toMatchObject({ refused: 'bad-request', message: expect.stringContaining(name.slice(0, 60)) }));
}

const allowedNames = [
  ...['FOO', '_', 'PATHS', 'MY_PATH', 'ENVIRONMENT', 'LDAP_HOST', 'NODE_ENV', 'PYTHONUNBUFFERED', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_EMAIL', 'HTTPS_PROXY'],
  ...['ANTHROPIC_MODEL', 'CLAUDE_CODE_MAX_RETRIES', 'BASH_DEFAULT_TIMEOUT_MS', 'DATABASE_URL', 'HOMEPAGE'],
];
for (const name of allowedNames) test(`the variable ${name} can be set for a session`, () => expect(refusedEnv(claudeCode, { [name]: 'x' })).toBeUndefined());

test('a value that cannot be passed to a process is refused', () => {
  expect(refusedEnv(claudeCode, { A: 'x\0y' })).toMatchObject({ refused: 'bad-request' });
  expect(refusedEnv(claudeCode, { A: 'x'.repeat(100_001) })).toMatchObject({ refused: 'bad-request' });
  expect(refusedEnv(claudeCode, { A: 'x'.repeat(100_000) })).toBeUndefined();
  expect(refusedEnv(claudeCode, Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`A${n}`, ''])))).toMatchObject({ refused: 'too-large' });
});

const flags: readonly (readonly [readonly string[], readonly string[] | string])[] = [
  [['--strict-mcp-config'], ['--strict-mcp-config']],
  [['--max-budget-usd', '1.5'], ['--max-budget-usd=1.5']],
  [
    ['--max-budget-usd=1.5', '--safe-mode'],
    ['--max-budget-usd=1.5', '--safe-mode'],
  ],
  [['--name', '--dangerously-skip-permissions'], ['--name=--dangerously-skip-permissions']],
  [['--name=a=b'], ['--name=a=b']],
  [['--max-budget-usd'], 'needs a value: an amount in dollars'],
  [['--max-budget-usd', '-1'], 'takes an amount in dollars, not "-1"'],
  [['--effort', 'bogus'], 'low, medium, high, xhigh or max'],
  [['--safe-mode=x'], 'takes no value'],
  [['--tools', '--resume'], 'names of tools'],
  [['stray'], `The flag "stray" can't be passed`],
  [[''], `can't be passed`],
  [['--strict-mcp-config', 'stray'], `The flag "stray" can't be passed`],
  [['--Strict-Mcp-Config'], `can't be passed`],
  ...[
    ...['--output-format=text', '--input-format', '--permission-prompt-tool', '--permission-mode=bypassPermissions', '--dangerously-skip-permissions'],
    ...[
      '--allow-dangerously-skip-permissions',
      '--resume',
      '-r',
      '--continue',
      '-c',
      '--session-id',
      '--fork-session',
      '--settings={"hooks":{}}',
      '--mcp-config',
    ],
    ...[
      '--plugin-dir',
      '--plugin-url',
      '--agents',
      '--agent',
      '--setting-sources',
      '--debug-file',
      '--sdk-url',
      '--model',
      '--system-prompt',
      '-p',
      '--print',
      '-w',
      '--',
    ],
  ].map((word) => [[word], `The flag "${word.split('=')[0]}" can't be passed to Claude Code. Allowed are --bare,`] as const),
];
for (const [given, expected] of flags) {
  test(`the flags ${JSON.stringify(given)} are ${typeof expected === 'string' ? 'refused' : 'accepted'}`, () => {
    const message = typeof expected === 'string' ? { message: expect.stringContaining(expected) } : expected;
    expect(checkedFlags(claudeCode, given)).toEqual(typeof expected === 'string' ? expect.objectContaining(message) : expected);
  });
}

const sizes: readonly (readonly [string, SessionOptions, string | undefined])[] = [
  ['a system prompt of the largest size', { systemPrompt: 'x'.repeat(100_000) }, undefined],
  ['a system prompt one byte larger', { systemPrompt: 'x'.repeat(100_001) }, 'systemPrompt'],
  ['an appended system prompt, measured in bytes,', { appendSystemPrompt: 'ä'.repeat(50_001) }, 'appendSystemPrompt'],
  ['too many tools', { allowedTools: Array.from({ length: 501 }, () => 'Read') }, 'allowedTools'],
  ['a very large set of options', { disallowedTools: Array.from({ length: 11 }, () => 'x'.repeat(99_999)) }, 'All options together'],
  ['a zero byte', { fallbackModel: 'a\0b' }, 'fallbackModel'],
];
for (const [title, options, message] of sizes) {
  test(`${title} ${message === undefined ? 'fits on a command line' : 'is refused'}`, () =>
    expect(optionSizeProblem(options)?.message ?? '').toEqual(message === undefined ? '' : expect.stringContaining(message)));
}

const bypasses: readonly (readonly [string, { allowBypass: boolean; isRoot: boolean; env: Record<string, string> }, string | undefined])[] = [
  ['is refused when the server does not allow it', { allowBypass: false, isRoot: false, env: {} }, 'allowBypass'],
  ['is accepted when the server allows it', { allowBypass: true, isRoot: false, env: {} }, undefined],
  ['is refused as root', { allowBypass: true, isRoot: true, env: {} }, 'IS_SANDBOX=1'],
  ['is refused as root with any other value of the variable', { allowBypass: true, isRoot: true, env: { IS_SANDBOX: '0' } }, 'IS_SANDBOX=1'],
  ['is accepted as root in a sandbox', { allowBypass: true, isRoot: true, env: { IS_SANDBOX: '1' } }, undefined],
];
for (const [title, { allowBypass, isRoot, env }, message] of bypasses) {
  test(`bypassing permissions ${title}`, () => {
    const deps = { settings: { allowBypass }, machine: { isRoot }, envFor: () => env } as unknown as EngineDeps;
    expect(refusedMode(deps, claudeCode, 'bypassPermissions')?.message ?? '').toEqual(message === undefined ? '' : expect.stringContaining(message));
    expect(refusedMode(deps, claudeCode, 'plan')).toBeUndefined();
  });
}

test('[R184] paths in options are resolved, and paths that are not allowed are refused', async () => {
  const setup = await createEngine();
  mkdirSync(join(setup.home, 'more'));
  writeFileSync(join(setup.home, 'mcp.json'), '{}');
  const receipt = await create(setup, { addDirs: [join(setup.home, 'more', '..', 'more')], mcpConfigPath: join(setup.home, 'mcp.json') });
  expect(receipt).toMatchObject({ queued: false });
  const [created] = setup.events(S1);
  expect(created).toMatchObject({ options: { addDirs: [join(setup.home, 'more')], mcpConfigPath: join(setup.home, 'mcp.json') } });
  const refusals: readonly (readonly [SessionOptions, object])[] = [
    [{ addDirs: ['/etc'] }, { refused: 'not-allowed-folder', message: expect.stringContaining('/etc') }],
    [{ addDirs: [setup.home, setup.dataDir] }, { refused: 'not-allowed-folder', message: expect.stringContaining('data folder') }],
    [{ mcpConfigPath: '/etc/hosts' }, { refused: 'not-allowed-folder' }],
    [{ mcpConfigPath: join(setup.home, 'none.json') }, { refused: 'bad-request', message: expect.stringContaining('There is no file') }],
    [{ flags: ['--anything'] }, { refused: 'bad-request', message: expect.stringContaining('It takes no flags') }],
    [{ env: { PATH: '/x' } }, { refused: 'bad-request', message: expect.stringContaining('which programs run') }],
    [{ permissionMode: 'bypassPermissions' }, { refused: 'not-permitted' }],
  ];
  for (const [options, refusal] of refusals) expect(await create(setup, options, 's2')).toMatchObject(refusal);
});

test('a plan cannot be approved with a mode that the server does not allow', async () => {
  const setup = await createEngine();
  await create(setup, {}, 's1', 'plan');
  const { requestId } = await setup.event(S1, 'permission.requested');
  const answer = { type: 'permission.answer', sessionId: S1, requestId, behavior: 'allow' } as const;
  await expect(setup.do({ ...answer, mode: 'bypassPermissions' })).rejects.toThrow('not-permitted');
  await setup.do({ ...answer, mode: 'acceptEdits' });
});

test('once bypassing permissions is no longer allowed, a session that used it starts in the default mode and says so', async () => {
  const modes: (string | undefined)[] = [];
  const watched: Adapter = {
    ...(demo as Adapter),
    launch: (context) => {
      modes.push(context.options.permissionMode);
      return demo.launch(context);
    },
  };
  const setup = await createEngine({ adapters: [watched], allowBypass: true });
  await create(setup, { permissionMode: 'bypassPermissions' }, 's1', 'hello');
  await setup.event(S1, 'session.status', (event) => event.status === 'idle');
  await setup.do({ type: 'session.sleep', sessionId: S1 });
  await setup.event(S1, 'session.status', (event) => event.status === 'sleeping');
  await setup.reopen({ allowBypass: false });
  await setup.do({ type: 'input.send', sessionId: S1, text: 'hello again' });
  expect((await setup.event(S1, 'notice.shown')).text).toContain('started in its default mode. Bypassing permissions is turned off');
  await waitFor('the second answer', () => setup.events(S1).filter((event) => event.type === 'turn.completed').length === 2);
  expect(modes).toEqual(['bypassPermissions', undefined]);
});

function create(setup: EngineSetup, options: SessionOptions, sessionId = 's1', prompt?: string) {
  return setup.engine.submit(
    {
      type: 'session.create',
      commandId: crypto.randomUUID(),
      sessionId,
      agent: 'demo',
      cwd: setup.home,
      options,
      ...(prompt !== undefined && { prompt }),
    } as unknown as Parameters<typeof admit>[1],
    { kind: 'person', id: 'ada', name: 'Ada' },
  );
}
