import type { SessionOptions } from '../../protocol/session.ts';
import type { Launch, LaunchContext } from '../adapter.ts';
import { isKnown, MODES } from './modes.ts';

/** The command line of one life of Codex: what a session is like is said on the wire. */
export const launch = ({ executable, options, env }: LaunchContext): Launch => ({
  command: executable,
  args: ['app-server', ...(options.flags ?? [])],
  env: { ...env, ...options.env },
});

/** What Codex has no way to do is refused before a session is made, not passed over in silence. */
export function objection(options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return 'Codex does not dial in: leave out `transport`.';
  if (options.permissionMode !== undefined && !isKnown(options.permissionMode)) {
    return `Codex cannot work in the mode ${options.permissionMode}; it knows ${MODES.join(', ')}.`;
  }
  if (options.thinking === 'off') return 'Models of Codex think always: choose `low`, or leave out `thinking`.';
  const unknown = (['maxTurns', 'fallbackModel', 'mcpConfigPath', 'allowedTools', 'disallowedTools'] as const).find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `Codex has nothing like \`${unknown}\`: leave it out.`;
}
