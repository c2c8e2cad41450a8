import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../port/adapter.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { launchBridge } from './sdk-url-transport.ts';

/** The command line of one process. A person's flags come before ours, so that ours win. */
export function launch(context: LaunchContext): Launch {
  const { executable, options } = context;
  const dialsIn = options.transport === 'dial-in';
  const protocol = dialsIn ? PROTOCOL_ARGS : [...PROTOCOL_ARGS, ...ASKED_ON_STDIO];
  const args = ['-p', ...optionArgs(options), ...(options.flags ?? []), ...toolArgs(context), ...protocol, ...sessionArgs(context)];
  const env = withTools(context, { ...cleanEnvironment(context.env), ...OUR_ENV, ...options.env });
  return dialsIn ? launchBridge(context, args, env) : { command: executable, args, env };
}

/** Our own tools need no approval: what they may do is decided by the server. */
const toolArgs = ({ toolServer }: LaunchContext): readonly string[] => (toolServer === undefined ? [] : [`--allowedTools=mcp__${toolServer}`]);

/** With this variable the CLI would give up on a question that a person has not answered yet (2.1.197, 2.1.325). */
function withTools({ toolServer }: LaunchContext, env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (toolServer === undefined) return env;
  const { MCP_TOOL_TIMEOUT: _, ...kept } = env;
  return kept;
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

// Undocumented, and the only way to get permission requests over stdin and stdout.
const ASKED_ON_STDIO = ['--permission-prompt-tool', 'stdio'];

function sessionArgs({ mode, agentSessionId, forkSessionId, afterMessage }: LaunchContext): readonly string[] {
  if (mode === 'new') return ['--session-id', agentSessionId];
  // Undocumented; the conversation continues after this message, and what followed becomes another branch.
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
    ...(options.noTools ? ['--tools='] : []),
  ];
}

/** Joined with `=`, so that a value starting with a dash isn't read as a flag. */
const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [`${name}=${value}`]);
const list = (name: string, values: readonly string[] | undefined): readonly string[] => (values ?? []).map((value) => `${name}=${value}`);

// The second makes the CLI keep copies of files before it changes them, so that they can be restored.
const OUR_ENV = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' };
