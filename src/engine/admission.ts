import type { Adapter } from '../agents/adapter.ts';
import type { CommandOf, Refusal } from '../protocol/command.ts';
import { HOUSE } from '../protocol/event.ts';
import type { SessionOptions } from '../protocol/session.ts';
import type { EngineDeps } from './deps.ts';
import { allowedFolder } from './folders.ts';

/** What a new session may be: a known agent that can run, in a folder that is allowed. Answers the command with its real folder. */
export async function admit(deps: EngineDeps, command: CommandOf<'session.create'>): Promise<CommandOf<'session.create'> | Refusal> {
  if (command.sessionId === HOUSE) return { refused: 'bad-request', message: `The id "${HOUSE}" is taken by Signalbox itself. Choose another one.` };
  const adapter = deps.adapters.get(command.agent);
  if (adapter === undefined) return { refused: 'agent-unavailable', message: `There is no agent "${command.agent}". GET /api/agents lists them.` };
  const badName = Object.keys(command.options.env ?? {}).find((name) => !isEnvName(name));
  if (badName !== undefined)
    return { refused: 'bad-request', message: `"${badName}" cannot be set: a variable has letters, digits and "_", and SIGNALBOX_… is ours.` };
  const folder = await allowedFolder(command.cwd, deps.settings.roots);
  if (typeof folder !== 'string') return folder;
  const located = await deps.locator.find(adapter);
  if (!located.available) return { refused: 'agent-unavailable', message: located.problem };
  const objection = objectionTo(adapter, command.options, located.version);
  return objection === undefined ? { ...command, cwd: folder } : { refused: 'bad-request', message: objection };
}

/** Asked at every launch again: the CLI may have been updated since. */
export function objectionTo(adapter: Adapter, options: SessionOptions, version: string | undefined): string | undefined {
  if (adapter.objection !== undefined) return adapter.objection(options, version);
  return options.transport === 'dial-in' ? `${adapter.title} does not dial in: leave out \`transport\`.` : undefined;
}

const isEnvName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !name.startsWith('SIGNALBOX_');
