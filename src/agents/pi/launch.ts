import { join } from 'node:path';
import type { PermissionMode, SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../adapter.ts';
import { ownProgram } from '../own-program.ts';
import type { GateOrders } from './gate-words.ts';
import { GATE_VARIABLE } from './gate-words.ts';
import { levelOf } from './settings.ts';

const EXTENSION = ownProgram('src/agents/pi/extension.ts', 'dist/agents/pi-extension.mjs');

/** The command line of one life of Pi. A person's own flags come before ours, so that ours win. */
export function launch(context: LaunchContext): Launch {
  const { executable, options, packageRoot } = context;
  const ours = ['--mode', 'rpc', '-e', join(packageRoot, EXTENSION), ...sessionArgs(context)];
  return {
    command: executable,
    args: [...optionArgs(options), ...(options.flags ?? []).flatMap(unbound), ...ours],
    env: { ...context.env, ...options.env, [GATE_VARIABLE]: JSON.stringify(ordersOf(options)) },
  };
}

/** Pi chooses the id of a new session and of a copy (0.73.1 cannot be told one), and tells it when it is greeted. */
function sessionArgs({ mode, agentSessionId, options }: LaunchContext): readonly string[] {
  if (options.ephemeral) return ['--no-session'];
  if (mode === 'new') return [];
  return mode === 'resume' ? ['--session', agentSessionId] : ['--fork', agentSessionId];
}

/** Pi takes a value only as an argument of its own, whatever it begins with. */
const unbound = (word: string): readonly string[] => (word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word]);

function optionArgs(options: SessionOptions): readonly string[] {
  return [
    ...flag('--model', options.model),
    ...flag('--thinking', options.thinking && levelOf(options.thinking)),
    ...flag('--system-prompt', options.systemPrompt),
    ...flag('--append-system-prompt', options.appendSystemPrompt),
  ];
}

const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [name, value]);

const ordersOf = ({ permissionMode, allowedTools, disallowedTools }: SessionOptions): GateOrders => ({
  mode: isKnown(permissionMode) ? permissionMode : 'default',
  allowed: allowedTools ?? [],
  denied: disallowedTools ?? [],
});

export const MODES = ['default', 'acceptEdits', 'bypassPermissions'] as const;
const isKnown = (mode: PermissionMode | undefined): mode is (typeof MODES)[number] => MODES.some((known) => known === mode);

/** What Pi has no way to do is refused before a session is made, not passed over in silence. */
export function objection(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'Pi does not dial in: leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `Pi cannot work in the mode ${options.permissionMode}; it knows ${MODES.join(', ')}.`;
  }
  const unknown = (['maxTurns', 'fallbackModel', 'mcpConfigPath'] as const).find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `Pi has nothing like \`${unknown}\`: leave it out.`;
}
