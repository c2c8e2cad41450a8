import { join } from 'node:path';
import { listedTools } from '../../protocol/agent-tools.ts';
import type { PermissionMode, SessionOptions } from '../../protocol/session.ts';
import { levelOf } from '../formats/thinking.ts';
import type { Launch, LaunchContext } from '../port/adapter.ts';
import { ownProgram } from '../port/own-program.ts';
import type { GateSettings } from './extension-protocol.ts';
import { GATE_VARIABLE } from './extension-protocol.ts';

const EXTENSION = ownProgram('src/agents/pi/extension.ts', 'dist/agents/pi-extension.mjs');

/** The command line of one process. A person's flags come before ours, so that ours win. */
export function launch(context: LaunchContext): Launch {
  const { executable, options, packageRoot, toolServer } = context;
  const ours = ['--mode', 'rpc', '-e', join(packageRoot, EXTENSION), ...sessionArgs(context)];
  return {
    command: executable,
    args: [...optionArgs(options), ...(options.flags ?? []).flatMap(unbound), ...ours],
    env: {
      ...context.env,
      ...options.env,
      [GATE_VARIABLE]: JSON.stringify({ ...gateSettings(options), ...(toolServer === undefined ? {} : { tools: gateTools() }) }),
    },
  };
}

/** Pi chooses the id of a new session and of a copy (0.73.1 does not accept one), and reports it in the handshake. */
function sessionArgs({ mode, agentSessionId, options }: LaunchContext): readonly string[] {
  if (options.ephemeral) return ['--no-session'];
  if (mode === 'new') return [];
  return mode === 'resume' ? ['--session', agentSessionId] : ['--fork', agentSessionId];
}

/** Pi takes a value only as a separate argument, even one that starts with a dash. */
const unbound = (word: string): readonly string[] => (word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word]);

function optionArgs(options: SessionOptions): readonly string[] {
  return [
    ...flag('--model', options.model),
    ...flag('--thinking', options.thinking && levelOf(options.thinking)),
    ...flag('--system-prompt', options.systemPrompt),
    ...flag('--append-system-prompt', options.appendSystemPrompt),
  ];
}

const gateTools = (): GateSettings['tools'] => listedTools(true).map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));

const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [name, value]);

const gateSettings = ({ permissionMode, allowedTools, disallowedTools }: SessionOptions): GateSettings => ({
  mode: isKnown(permissionMode) ? permissionMode : 'default',
  allowed: allowedTools ?? [],
  denied: disallowedTools ?? [],
});

export const MODES = ['default', 'acceptEdits', 'bypassPermissions'] as const;
const isKnown = (mode: PermissionMode | undefined): mode is (typeof MODES)[number] => MODES.some((known) => known === mode);

/** Unsupported options are refused before the session is created, never silently ignored. */
export function unsupportedReason(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'Pi does not support the `dial-in` transport. Leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `Pi does not support the mode ${options.permissionMode}. Choose one of: ${MODES.join(', ')}.`;
  }
  const unknown = (['maxTurns', 'fallbackModel', 'mcpConfigPath'] as const).find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `Pi does not support \`${unknown}\`. Leave it out.`;
}
