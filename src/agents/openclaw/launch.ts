import { join } from 'node:path';
import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../adapter.ts';
import { nodeArgs, ownProgram } from '../own-program.ts';
import { keeperFolder } from './home.ts';
import { isKnown, MODES } from './modes.ts';
import { RELAY_SCRIPT } from './relay.ts';

const KEEPER = ownProgram('src/agents/openclaw/keeper/program.ts', 'dist/agents/openclaw-keeper.mjs');

const ONCE = ownProgram('src/agents/openclaw/once/program.ts', 'dist/agents/openclaw-once.mjs');

/** A relay to the keeper, which has or starts the Gateway; how that is started goes with it, because any session may be the first. */
export function launch({ executable, interpreter, packageRoot, cwd, options, env }: LaunchContext): Launch {
  const openclaw = interpreter === undefined ? [executable] : [interpreter, executable];
  if (options.ephemeral) return { command: process.execPath, args: [...nodeArgs(join(packageRoot, ONCE)), cwd, ...openclaw], env };
  const starter = [process.execPath, ...nodeArgs(join(packageRoot, KEEPER)), 'start', keeperFolder(env), ...openclaw];
  return { command: '/bin/sh', args: ['-c', RELAY_SCRIPT, 'sh', keeperFolder(env), ...starter], env };
}

/** What OpenClaw has no way to do is refused before a session is made, not passed over in silence. */
export function objection(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'OpenClaw does not dial in: leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `OpenClaw cannot work in the mode ${options.permissionMode}; it knows ${MODES.join(', ')}.`;
  }
  if (options.ephemeral && options.permissionMode !== 'bypassPermissions') {
    return 'OpenClaw asks for nothing in a session without a record: give `permissionMode: "bypassPermissions"` with `ephemeral`, or leave `ephemeral` out.';
  }
  const unknown = UNKNOWN.find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `OpenClaw has nothing like \`${unknown}\` for one session: leave it out.`;
}

const UNKNOWN = [
  ...(['systemPrompt', 'appendSystemPrompt', 'maxTurns', 'fallbackModel', 'mcpConfigPath', 'allowedTools', 'disallowedTools', 'addDirs'] as const),
];
