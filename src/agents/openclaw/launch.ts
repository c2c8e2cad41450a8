import { join } from 'node:path';
import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../port/adapter.ts';
import { nodeArgs, ownProgram } from '../port/own-program.ts';
import { isKnown, MODES } from './modes.ts';
import { RELAY_SCRIPT } from './relay.ts';
import { keeperFolder } from './state-folder.ts';

const KEEPER = ownProgram('src/agents/openclaw/keeper/program.ts', 'dist/agents/openclaw-keeper.mjs');

const ONCE = ownProgram('src/agents/openclaw/single-task/program.ts', 'dist/agents/openclaw-once.mjs');

/** A relay to the keeper, which connects to or starts the Gateway. Every session carries the start command, because any may be the first. */
export function launch({ executable, interpreter, packageRoot, cwd, options, env }: LaunchContext): Launch {
  const openclaw = interpreter === undefined ? [executable] : [interpreter, executable];
  const isLight = options.transport === 'per-message';
  if (isLight || options.ephemeral)
    return { command: process.execPath, args: [...nodeArgs(join(packageRoot, ONCE)), isLight ? 'agent' : 'exec', cwd, ...openclaw], env };
  const starter = [process.execPath, ...nodeArgs(join(packageRoot, KEEPER)), 'start', keeperFolder(env), ...openclaw];
  return { command: '/bin/sh', args: ['-c', RELAY_SCRIPT, 'sh', keeperFolder(env), ...starter], env };
}

/** Unsupported options are refused before the session is created, never silently ignored. */
export function unsupportedReason(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'OpenClaw does not support the `dial-in` transport. Leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `OpenClaw does not support the mode ${options.permissionMode}. Choose one of: ${MODES.join(', ')}.`;
  }
  if (options.transport === 'per-message' && (options.ephemeral || options.permissionMode !== 'bypassPermissions')) {
    return 'OpenClaw asks for nothing when every message is a process of its own. Set `permissionMode: "bypassPermissions"` with `transport: "per-message"`, and leave out `ephemeral`.';
  }
  if (options.ephemeral && options.permissionMode !== 'bypassPermissions') {
    return 'OpenClaw never asks for permission in an ephemeral session. Set `permissionMode: "bypassPermissions"` with `ephemeral`, or leave `ephemeral` out.';
  }
  const unknown = UNKNOWN.find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `OpenClaw does not support \`${unknown}\` per session. Leave it out.`;
}

const UNKNOWN = [
  ...(['systemPrompt', 'appendSystemPrompt', 'maxTurns', 'fallbackModel', 'mcpConfigPath', 'allowedTools', 'disallowedTools', 'addDirs'] as const),
];
