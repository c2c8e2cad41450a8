import { expect, test } from 'vitest';
import type { LaunchContext } from '../port/adapter.ts';
import { launch } from './launch.ts';

const context: LaunchContext = {
  executable: '/bin/claude',
  packageRoot: '/opt/signalbox',
  cwd: '/home/dev/proj',
  options: {},
  mode: 'new',
  agentSessionId: 'U',
  env: {},
};

const sessions: readonly (readonly [string, Partial<LaunchContext>, readonly string[]])[] = [
  ['a new session gets its id', { mode: 'new' }, ['--session-id', 'U']],
  ['a known session is resumed', { mode: 'resume' }, ['--resume', 'U']],
  ['a fork copies one session under the id of another', { mode: 'fork', forkSessionId: 'V' }, ['--resume', 'U', '--fork-session', '--session-id', 'V']],
  ['a fork without an id lets the CLI choose', { mode: 'fork' }, ['--resume', 'U', '--fork-session']],
];
for (const [title, part, tail] of sessions) {
  test(title, () => {
    const { command, args } = launch({ ...context, ...part });
    expect(command).toBe('/bin/claude');
    expect(args.slice(-tail.length)).toEqual(tail);
  });
}

test('the wire is stream-json in both directions, with partial text, echoes, hooks and permission requests', () => {
  expect(launch(context).args).toEqual([
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--replay-user-messages', '--include-hook-events', '--permission-prompt-tool', 'stdio'],
    ...['--session-id', 'U'],
  ]);
});

test("each of a person's options becomes a flag whose value cannot be read as another flag", () => {
  const { args } = launch({
    ...context,
    options: {
      model: 'opus',
      fallbackModel: 'sonnet',
      permissionMode: 'plan',
      systemPrompt: '-be brief',
      appendSystemPrompt: 'two\nlines',
      maxTurns: 3,
      mcpConfigPath: '/m.json',
      addDirs: ['/a', '/b'],
      allowedTools: ['Bash(git log:*)', 'Read'],
      disallowedTools: ['WebFetch'],
      ephemeral: true,
    },
  });
  expect(args.slice(1, 14)).toEqual([
    '--model=opus',
    '--fallback-model=sonnet',
    '--permission-mode=plan',
    '--system-prompt=-be brief',
    '--append-system-prompt=two\nlines',
    '--max-turns=3',
    '--mcp-config=/m.json',
    '--add-dir=/a',
    '--add-dir=/b',
    '--allowedTools=Bash(git log:*)',
    '--allowedTools=Read',
    '--disallowedTools=WebFetch',
    '--no-session-persistence',
  ]);
});

test("a person's own flags come before ours, so that they cannot change the wire", () => {
  const { args } = launch({ ...context, options: { flags: ['--output-format', 'text'] } });
  expect(args.indexOf('text')).toBeLessThan(args.lastIndexOf('--output-format'));
});

test('variables left by another CLI are removed, variables that this one reads are passed on', () => {
  const env = {
    ...{ PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', CLAUDE_CODE_MAX_RETRIES: '2', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    ...{ CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ID: 'x', CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1', AI_AGENT: 'y' },
    ...{ CLAUDE_CODE_NOT_YET_INVENTED: '1', CLAUDE_CODE_REMOTE: '1', CLAUDE_EFFORT: 'high' },
  };
  expect(launch({ ...context, env, options: { env: { EXTRA: '1' } } }).env).toEqual({
    ...{ PATH: '/bin', ANTHROPIC_API_KEY: 'k', CLAUDE_CONFIG_DIR: '/c', CLAUDE_CODE_MAX_RETRIES: '2', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    ...{ DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1', EXTRA: '1' },
  });
});
