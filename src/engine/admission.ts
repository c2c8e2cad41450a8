import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import type { CommandOf, Refusal } from '../protocol/command.ts';
import type { EngineDeps } from './deps.ts';

/** What a new session may be: a known agent that can run, in a folder that is allowed. Answers the command with its real folder. */
export async function admit(deps: EngineDeps, command: CommandOf<'session.create'>): Promise<CommandOf<'session.create'> | Refusal> {
  const adapter = deps.adapters.get(command.agent);
  if (adapter === undefined) return { refused: 'agent-unavailable', message: `There is no agent "${command.agent}". GET /api/agents lists them.` };
  const badName = Object.keys(command.options.env ?? {}).find((name) => !isEnvName(name));
  if (badName !== undefined)
    return { refused: 'bad-request', message: `"${badName}" cannot be set: a variable has letters, digits and "_", and SIGNALBOX_… is ours.` };
  const folder = await allowedFolder(command.cwd, deps.settings.roots);
  if (typeof folder !== 'string') return folder;
  const located = await deps.locator.find(adapter);
  if (!located.available) return { refused: 'agent-unavailable', message: located.problem };
  return { ...command, cwd: folder };
}

const isEnvName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.startsWith('SIGNALBOX_');

/** Resolves links before judging, so that no link leads out of the allowed folders. */
async function allowedFolder(cwd: string, roots: readonly string[]): Promise<string | Refusal> {
  if (!isAbsolute(cwd)) return { refused: 'bad-request', message: `"${cwd}" is not a whole path. Begin it with "/".` };
  const real = await realpath(cwd).catch(() => undefined);
  const isFolder = real !== undefined && (await stat(real)).isDirectory();
  if (real === undefined || !isFolder) return { refused: 'bad-request', message: `There is no folder ${cwd}.` };
  const isInside = roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
  if (isInside) return real;
  return { refused: 'not-allowed-folder', message: `Sessions may not run in ${real}. Allowed: ${roots.join(', ')}. SIGNALBOX_ROOTS sets this.` };
}
