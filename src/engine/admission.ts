import type { Adapter } from '../agents/port/adapter.ts';
import { BYPASS_REFUSED } from '../domain/session/settings.ts';
import { allowedFolder, allowedPath } from '../folders/allowed-roots.ts';
import { optionSizeProblem } from '../programs/option-bounds.ts';
import { refusedEnv } from '../programs/option-environment.ts';
import { checkedFlags } from '../programs/option-flags.ts';
import { type Command, type CommandOf, isRefusal, type Refusal } from '../protocol/command.ts';
import { isReservedId } from '../protocol/ids.ts';
import type { Capabilities, SessionOptions } from '../protocol/session.ts';
import { agentCapabilities, type SessionStates } from './loop/capabilities.ts';
import type { EngineDeps } from './loop/engine-deps.ts';

/** Checks that a new session has a known agent that can run, an allowed folder and allowed options. Returns the command with real paths. */
export async function admit(deps: EngineDeps, command: CommandOf<'session.create'>, sessions: SessionStates): Promise<CommandOf<'session.create'> | Refusal> {
  if (isReservedId(command.sessionId)) return { refused: 'bad-request', message: 'Ids that start with "_" are reserved by Signalbox. Choose another one.' };
  const adapter = deps.adapters.get(command.agent);
  if (adapter === undefined || adapter.internal)
    return { refused: 'agent-unavailable', message: `There is no agent "${command.agent}". GET /api/agents lists them.` };
  const cwd = await allowedFolder(command.cwd, deps.settings);
  if (typeof cwd !== 'string') return cwd;
  const options = await admittedOptions(deps, adapter, command.options);
  if (isRefusal(options)) return options;
  const located = await deps.locator.find(adapter);
  if (!located.available) return { refused: 'agent-unavailable', message: located.problem };
  const unsupportedReason = unsupportedReasonFor(adapter, options, located.version, agentCapabilities(adapter, sessions));
  return unsupportedReason === undefined ? { ...command, cwd, options } : { refused: 'bad-request', message: unsupportedReason };
}

/** Checked again at every launch, because the CLI may have been updated. */
export function unsupportedReasonFor(adapter: Adapter, options: SessionOptions, version: string | undefined, can: Capabilities): string | undefined {
  const { transport = 'stdio' } = options;
  if (transport === 'per-message' && adapter.runsPerMessage !== true)
    return `${adapter.title} does not run as one process per message: leave out \`transport\`.`;
  if (options.noTools === true && adapter.runsWithoutTools !== true) return `${adapter.title} can’t be started without its tools: leave out \`noTools\`.`;
  if (adapter.unsupportedReason !== undefined) return adapter.unsupportedReason(options, version, can);
  return transport === 'dial-in' ? `${adapter.title} does not dial in: leave out \`transport\`.` : undefined;
}

async function admittedOptions(deps: EngineDeps, adapter: Adapter, options: SessionOptions): Promise<SessionOptions | Refusal> {
  const refused = optionSizeProblem(options) ?? refusedEnv(adapter, options.env ?? {}) ?? refusedMode(deps, adapter, options.permissionMode);
  if (refused !== undefined) return refused;
  const flags = checkedFlags(adapter, options.flags ?? []);
  if (isRefusal(flags)) return flags;
  const paths = await realPaths(deps, options);
  if (isRefusal(paths)) return paths;
  return { ...options, ...paths, ...(options.flags !== undefined && { flags: [...flags] }) };
}

async function realPaths(
  { settings }: EngineDeps,
  { addDirs, mcpConfigPath }: SessionOptions,
): Promise<Pick<SessionOptions, 'addDirs' | 'mcpConfigPath'> | Refusal> {
  const folders = await Promise.all((addDirs ?? []).map((path) => allowedFolder(path, settings)));
  const file = mcpConfigPath === undefined ? undefined : await allowedPath(mcpConfigPath, settings, 'file');
  const refused = [...folders, file].find((path) => typeof path === 'object');
  if (refused !== undefined) return refused;
  const real = folders.filter((path) => typeof path === 'string');
  return { ...(addDirs !== undefined && { addDirs: real }), ...(typeof file === 'string' && { mcpConfigPath: file }) };
}

/** Why a session can't use this mode, at its start or later. */
export function refusedMode({ settings, machine, envFor }: EngineDeps, adapter: Adapter, mode: string | undefined): Refusal | undefined {
  if (mode !== 'bypassPermissions') return undefined;
  if (!settings.allowBypass) return BYPASS_REFUSED;
  const { rootBypassVariable: variable } = adapter;
  if (!machine.isRoot || variable === undefined || envFor(adapter.id)[variable] === '1') return undefined;
  return {
    refused: 'not-permitted',
    message: `${adapter.title} refuses to bypass permissions when it runs as root, as it does here. Run Signalbox as another user; or, in a container made for it, start Signalbox with ${variable}=1.`,
  };
}

/** The mode that a command would switch its session to. */
export function modeIn(command: Command): string | undefined {
  if (command.type === 'review.send') return command.answer?.mode;
  return command.type === 'mode.set' || command.type === 'permission.answer' ? command.mode : undefined;
}
