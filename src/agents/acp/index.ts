import { basename, isAbsolute } from 'node:path';
import { AgentId } from '../../protocol/ids.ts';
import type { Capabilities, SessionOptions } from '../../protocol/session.ts';
import type { Adapter } from '../port/adapter.ts';
import type { AcpAgentConfig } from './agent-config.ts';
import { encode, handshake } from './encode.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { subjectOf } from './subject.ts';
import { translate } from './translate.ts';

/** Prefix of the ids of all ACP agents. */
export const ACP = 'acp:';

/** Agents that the live suite ran with, by their program. */
const VERIFIED: Readonly<Record<string, readonly string[] | undefined>> = { opencode: ['1.18.33'], 'pi-acp': ['0.0.34'] };

/** An adapter for any agent that speaks the Agent Client Protocol over stdin and stdout. */
export function acpAgent(id: string, agent: AcpAgentConfig, install?: string): Adapter<State> {
  const { title, command, args, versionArgs } = agent;
  return {
    id: AgentId.parse(id),
    title,
    icon: 'acp',
    version: 2,
    capabilities: capabilitiesOf(agent),
    reportsCapabilities: true,
    verifiedWith: VERIFIED[basename(command)] ?? [],
    locate: { setting: 'command', names: isAbsolute(command) ? [] : [command], versionArgs, ...(install !== undefined && { install }) },
    allowedFlags: [],
    unsupportedReason: (options, _version, can) => unsupportedReason(title, can, options),
    launch: ({ executable, env, options }) => ({ command: executable, args: [...args], env: { ...env, ...options.env } }),
    initial,
    handshake,
    inputAfterReady: true,
    translate,
    encode,
    inputId: (commandId) => commandId,
    subjectOf: (tool, input) => subjectOf(tool, input),
  };
}

/** The configured program's path, if it is one. */
export const acpPath = ({ command }: AcpAgentConfig): string | undefined => (isAbsolute(command) ? command : undefined);

/** The protocol guarantees streaming and canceling; everything else follows the configuration until the agent reports it. */
const capabilitiesOf = ({ can, modes }: AcpAgentConfig): Capabilities => ({
  streaming: true,
  interrupt: true,
  permissions: can.includes('permissions'),
  resume: can.includes('resume'),
  images: can.includes('images'),
  thinking: can.includes('thinking'),
  cost: can.includes('cost'),
  setModel: can.includes('setModel'),
  setThinking: can.includes('setThinking'),
  modes: [...modes],
  fork: false,
  forkAt: false,
  steer: false,
  subagents: false,
  rewind: false,
  editInput: false,
  tools: 'none',
});

/** Options that the protocol can't express are refused before the session is created, never silently ignored. */
function unsupportedReason(title: string, { modes }: Capabilities, options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return `${title} does not support the \`dial-in\` transport. Leave out \`transport\`.`;
  const { permissionMode } = options;
  if (permissionMode !== undefined && !modes.includes(permissionMode)) {
    return modes.length === 0
      ? `${title} has no permission modes that Signalbox knows. Leave out the mode.`
      : `${title} does not support the mode ${permissionMode}. Choose one of: ${modes.join(', ')}.`;
  }
  const unknown = UNKNOWN.find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `ACP does not support \`${unknown}\`, so ${title} can't use it. Leave it out.`;
}

const UNKNOWN = [
  'systemPrompt',
  'appendSystemPrompt',
  'allowedTools',
  'disallowedTools',
  'maxTurns',
  'fallbackModel',
  'mcpConfigPath',
  'ephemeral',
  'addDirs',
] as const;
