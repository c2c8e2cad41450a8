import { AcpAgentConfig } from './acp/agent-config.ts';
import { ACP, acpAgent, acpPath } from './acp/index.ts';
import { PRESET_AGENTS } from './acp/presets.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { demo } from './demo/index.ts';
import { openclaw } from './openclaw/index.ts';
import { pi } from './pi/index.ts';
import type { Adapter } from './port/adapter.ts';
import type { PastAgent } from './port/archive.ts';
import { script } from './script/index.ts';

/** Every agent that Signalbox can run; the only place outside an agent's folder that names one. */
export const AGENTS: readonly Adapter[] = [claudeCode, pi, openclaw, codex, demo];

/** Runs scripts and long git acts; only the engine starts it. */
export const SCRIPT_AGENT: Adapter = script;

/** Agents defined in the config file: the prefix of their ids, and the schema of a definition. */
export const CONFIGURED = { prefix: ACP, schema: AcpAgentConfig, path: acpPath } as const;
export type ConfiguredAgents = Readonly<Record<string, AcpAgentConfig>>;

/** Built-in agents, those that need no configuration, and configured ones. */
export const agentsWith = (configured: ConfiguredAgents): readonly Adapter[] => [
  ...AGENTS,
  ...PRESET_AGENTS.filter(([id]) => !Object.hasOwn(configured, id)).map(([id, agent, install]) => acpAgent(id, agent, install)),
  ...Object.entries(configured).map(([id, agent]) => acpAgent(id, agent)),
];

/** Every agent whose own records are shown. */
export const PAST_AGENTS: readonly PastAgent[] = AGENTS.flatMap(({ id, title, icon, archive }) =>
  archive === undefined ? [] : [{ id, title, icon, archive }],
);
