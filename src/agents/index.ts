import type { AcpAgent } from './acp/configured.ts';
import { acpAgent } from './acp/index.ts';
import type { Adapter } from './adapter.ts';
import type { PastAgent } from './archive.ts';
import { claudeCode } from './claude-code/index.ts';
import { codexPast } from './codex/index.ts';
import { demo } from './demo/index.ts';
import { openclawPast } from './openclaw/index.ts';
import { pi } from './pi/index.ts';

/** Every agent that Signalbox itself knows how to run; the only place outside an agent's folder that names one. */
export const AGENTS: readonly Adapter[] = [claudeCode, pi, demo];

/** Those, and the ones that a person has configured. */
export const agentsWith = (acpAgents: Readonly<Record<string, AcpAgent>>): readonly Adapter[] => [
  ...AGENTS,
  ...Object.entries(acpAgents).map(([id, agent]) => acpAgent(id, agent)),
];

/** Every agent whose own records are shown. */
export const PAST_AGENTS: readonly PastAgent[] = [
  ...AGENTS.flatMap(({ id, title, icon, archive }) => (archive === undefined ? [] : [{ id, title, icon, archive }])),
  codexPast,
  openclawPast,
];
