import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { PermissionMode, type ReportedCapabilities, Thinking } from '../../protocol/session.ts';
import { valuesOf } from './settings.ts';
import type { State } from './state.ts';
import type { InitializeResult } from './wire.ts';

export const capabilitiesObserved = (can: ReportedCapabilities): Observation => ({ type: 'capabilities.told', can });

const HANDSHAKE_ABILITIES = ['resume', 'images', 'fork'] as const;

/** What an agent reports in the handshake, with our names. */
export function handshakeCapabilities({ agentCapabilities }: InitializeResult): readonly string[] {
  const reported: Readonly<Record<(typeof HANDSHAKE_ABILITIES)[number], boolean>> = {
    resume: agentCapabilities?.loadSession === true,
    images: agentCapabilities?.promptCapabilities?.image === true,
    fork: agentCapabilities?.sessionCapabilities?.fork != null,
  };
  return HANDSHAKE_ABILITIES.filter((ability) => reported[ability]);
}

/** Capabilities from the handshake and from the session's choices. The rest becomes known only once the agent uses it. */
export function sessionCapabilities({ abilities, configs, modes, ownModes }: Pick<State, 'abilities' | 'configs' | 'modes' | 'ownModes'>): Observation {
  const ours = new Set([...modes, ...valuesOf(configs, 'mode')]);
  return capabilitiesObserved({
    resume: abilities.includes('resume'),
    images: abilities.includes('images'),
    fork: abilities.includes('fork'),
    setModel: valuesOf(configs, 'model').length > 1,
    setThinking: valuesOf(configs, 'thought_level').some((level) => z.safeParse(Thinking, level).success),
    modes: PermissionMode.options.filter((mode) => ours.has(mode)),
    ...(ownModes.length > 0 && { ownModes: [...ownModes] }),
  });
}
