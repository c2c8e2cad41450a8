import type { AcpAgentConfig } from './agent-config.ts';

interface Preset {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly install: string;
}

/** ACP agents that need no configuration: an installed one appears by itself. The config file can define the same id differently. */
const PRESETS: Readonly<Record<string, Preset>> = {
  'acp:gemini': { title: 'Gemini CLI', command: 'gemini', args: ['--acp'], install: 'npm install -g @google/gemini-cli' },
  'acp:opencode': { title: 'OpenCode', command: 'opencode', args: ['acp'], install: 'npm install -g opencode-ai' },
  'acp:copilot': { title: 'Copilot CLI', command: 'copilot', args: ['--acp'], install: 'npm install -g @github/copilot' },
  'acp:qwen': { title: 'Qwen Code', command: 'qwen', args: ['--acp'], install: 'npm install -g @qwen-code/qwen-code' },
};

export const PRESET_AGENTS: readonly (readonly [id: string, agent: AcpAgentConfig, install: string])[] = Object.entries(PRESETS).map(
  ([id, { install, args, ...agent }]) => [id, { ...agent, args: [...args], versionArgs: ['--version'], can: [], modes: [] }, install],
);
