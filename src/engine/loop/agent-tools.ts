import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Adapter } from '../../agents/port/adapter.ts';
import { optionsNow } from '../../domain/session/settings.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { TOOL_SERVER } from '../../protocol/agent-tools.ts';
import type { RunId } from '../../protocol/ids.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { SessionActor } from './session-actor.ts';

/** Whether the agent of this session may use our tools at all. */
export const areToolsOn = ({ settings }: Pick<EngineDeps, 'settings'>, { born }: Pick<SessionState, 'born'>): boolean =>
  settings.agentTools !== false && born !== null && born.options.tools !== false;

/** An agent with our tools on its two files needs no token; every other one can use it over HTTP. */
export const needsRunToken = (deps: EngineDeps, adapter: Adapter, state: SessionState): boolean =>
  areToolsOn(deps, state) && (adapter.wantsRunToken === true || !isOnBus(adapter, state));

const isOnBus = ({ capabilities }: Adapter, { born }: SessionState): boolean => capabilities.tools === 'bus' && born?.options.transport !== 'dial-in';

/** The name under which the agent sees our tools: one that no server of the person has. Undefined when it gets none. */
export function toolServerFor({ context }: SessionActor, adapter: Adapter, state: SessionState): string | undefined {
  const { deps } = context;
  if (state.born === null || !areToolsOn(deps, state) || !isOnBus(adapter, state)) return undefined;
  const files = adapter.ownServerFiles?.({ cwd: state.born.cwd, env: deps.envFor(adapter.id), options: optionsNow(state) }) ?? [];
  const texts = files.map(textOf);
  const isTaken = (name: string): boolean => texts.some((text) => new RegExp(`"${name}"\\s*:`).test(text));
  let name: string = TOOL_SERVER;
  for (let number = 2; isTaken(name); number += 1) name = `${TOOL_SERVER}-${number}`;
  return name;
}

/** A file that is missing or unreadable names no servers. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** An agent's ids of calls are unique only within one run of it. */
export const askIdOf = (run: RunId, toolUseId: string): string => createHash('sha256').update(`${run}\0${toolUseId}`).digest('hex').slice(0, 24);
