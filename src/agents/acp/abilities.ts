import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { PermissionMode, Thinking, type ToldCapabilities } from '../../protocol/session.ts';
import { valuesOf } from './settings.ts';
import type { State } from './state.ts';
import type { InitializeResult } from './wire.ts';

export const told = (can: ToldCapabilities): Observation => ({ type: 'capabilities.told', can });

const GREETED = ['resume', 'images', 'fork'] as const;

/** What an agent says of itself in the handshake, by our own names. */
export function abilitiesOf({ agentCapabilities }: InitializeResult): readonly string[] {
  const says: Readonly<Record<(typeof GREETED)[number], boolean>> = {
    resume: agentCapabilities?.loadSession === true,
    images: agentCapabilities?.promptCapabilities?.image === true,
    fork: agentCapabilities?.sessionCapabilities?.fork != null,
  };
  return GREETED.filter((ability) => says[ability]);
}

/** That, and what the session that it began offers to choose from. The rest of what it can do shows only in its work. */
export function capabilitiesTold({ abilities, configs, modes }: Pick<State, 'abilities' | 'configs' | 'modes'>): Observation {
  const ours = new Set([...modes, ...valuesOf(configs, 'mode')]);
  return told({
    resume: abilities.includes('resume'),
    images: abilities.includes('images'),
    fork: abilities.includes('fork'),
    setModel: valuesOf(configs, 'model').length > 1,
    setThinking: valuesOf(configs, 'thought_level').some((level) => z.safeParse(Thinking, level).success),
    modes: PermissionMode.options.filter((mode) => ours.has(mode)),
  });
}
