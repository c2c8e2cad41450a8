import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';
import { demo } from './demo/index.ts';
import { pi } from './pi/index.ts';

/** Every agent that Signalbox knows; the only place outside an agent's folder that names one. */
export const AGENTS: readonly Adapter[] = [claudeCode, pi, demo];

export const PAST_AGENTS = AGENTS.flatMap(({ id, title, icon, archive }) => (archive === undefined ? [] : [{ id, title, icon, archive }]));
