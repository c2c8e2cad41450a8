import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../port/adapter.ts';
import { isKnown, MODES } from './modes.ts';

/** The command line of one process; session settings are sent on the wire. */
export const launch = ({ executable, options, env }: LaunchContext): Launch => ({
  command: executable,
  args: ['app-server', ...(options.flags ?? [])],
  env: { ...env, ...options.env },
});

/** Unsupported options are refused before the session is created, never silently ignored. */
export function unsupportedReason(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'Codex does not support the `dial-in` transport. Leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `Codex does not support the mode ${options.permissionMode}. Choose one of: ${MODES.join(', ')}.`;
  }
  if (options.thinking === 'off') return 'Codex models always think. Choose `low`, or leave out `thinking`.';
  const unknown = (['maxTurns', 'fallbackModel', 'mcpConfigPath', 'allowedTools', 'disallowedTools'] as const).find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `Codex does not support \`${unknown}\`. Leave it out.`;
}
