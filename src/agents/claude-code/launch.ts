import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../adapter.ts';
import { dialIn } from './dial-in.ts';
import { cleaned } from './launch-env.ts';

/** The command line of one life of the CLI. A person's own flags come before ours, so that ours win. */
export function launch(context: LaunchContext): Launch {
  const { executable, options } = context;
  const dialsIn = options.transport === 'dial-in';
  const protocol = dialsIn ? PROTOCOL_ARGS : [...PROTOCOL_ARGS, ...ASKED_ON_STDIO];
  const args = ['-p', ...optionArgs(options), ...(options.flags ?? []), ...protocol, ...sessionArgs(context)];
  const env = { ...cleaned(context.env), ...OUR_ENV, ...options.env };
  return dialsIn ? dialIn(context, args, env) : { command: executable, args, env };
}

const PROTOCOL_ARGS = [
  ...['--input-format', 'stream-json'],
  ...['--output-format', 'stream-json'],
  // The CLI refuses stream-json without it.
  '--verbose',
  '--include-partial-messages',
  '--replay-user-messages',
  '--include-hook-events',
];

// Hidden, and the only way to be asked over stdin and stdout.
const ASKED_ON_STDIO = ['--permission-prompt-tool', 'stdio'];

function sessionArgs({ mode, agentSessionId, forkSessionId, afterMessage }: LaunchContext): readonly string[] {
  if (mode === 'new') return ['--session-id', agentSessionId];
  // Hidden; the conversation goes on after this message, and what followed it becomes another branch.
  const after = afterMessage === undefined ? [] : ['--resume-session-at', afterMessage];
  if (mode === 'resume') return ['--resume', agentSessionId, ...after];
  return ['--resume', agentSessionId, '--fork-session', ...(forkSessionId ? ['--session-id', forkSessionId] : []), ...after];
}

function optionArgs(options: SessionOptions): readonly string[] {
  return [
    ...flag('--model', options.model),
    ...flag('--fallback-model', options.fallbackModel),
    ...flag('--permission-mode', options.permissionMode),
    ...flag('--system-prompt', options.systemPrompt),
    ...flag('--append-system-prompt', options.appendSystemPrompt),
    ...flag('--max-turns', options.maxTurns?.toString()),
    ...flag('--mcp-config', options.mcpConfigPath),
    ...list('--add-dir', options.addDirs),
    ...list('--allowedTools', options.allowedTools),
    ...list('--disallowedTools', options.disallowedTools),
    ...(options.ephemeral ? ['--no-session-persistence'] : []),
  ];
}

/** Bound by `=`, so that a value which begins with a dash is not read as a flag. */
const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [`${name}=${value}`]);
const list = (name: string, values: readonly string[] | undefined): readonly string[] => (values ?? []).map((value) => `${name}=${value}`);

// The second lets the CLI keep copies of files before it changes them, so that they can be put back.
const OUR_ENV = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' };
