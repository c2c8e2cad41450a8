import { basename, isAbsolute } from 'node:path';
import { AgentId } from '../../protocol/ids.ts';
import type { Capabilities, SessionOptions } from '../../protocol/session.ts';
import type { Adapter } from '../adapter.ts';
import type { AcpAgent } from './configured.ts';
import { encode, greeting } from './encode.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { subjectOf } from './subject.ts';
import { translate } from './translate.ts';

/** What the ids of all agents of this kind begin with. */
export const ACP = 'acp:';

/** Agents that the live suite ran with, by their program. */
const VERIFIED: Readonly<Record<string, readonly string[] | undefined>> = { opencode: ['1.18.33'], 'pi-acp': ['0.0.34'] };

/** An adapter for any agent that speaks the Agent Client Protocol over stdin and stdout. */
export function acpAgent(id: string, agent: AcpAgent): Adapter<State> {
  const { title, command, args, versionArgs } = agent;
  return {
    id: AgentId.parse(id),
    title,
    icon: 'acp',
    version: 1,
    capabilities: capabilitiesOf(agent),
    tellsCapabilities: true,
    verifiedWith: VERIFIED[basename(command)] ?? [],
    locate: { setting: 'command', names: isAbsolute(command) ? [] : [command], versionArgs },
    allowedFlags: [],
    objection: (options, _version, can) => objection(title, can, options),
    launch: ({ executable, env, options }) => ({ command: executable, args: [...args], env: { ...env, ...options.env } }),
    initial,
    greet: greeting,
    inputAfterReady: true,
    translate,
    encode,
    inputId: (commandId) => commandId,
    subjectOf: (tool, input) => subjectOf(tool, input),
  };
}

/** Where the configured program lies, when it is named by its path. */
export const acpPath = ({ command }: AcpAgent): string | undefined => (isAbsolute(command) ? command : undefined);

/** Streaming and cancelling are the protocol's own; everything else is the agent's choice, and is hoped for as the configuration says until it has told. */
const capabilitiesOf = ({ can, modes }: AcpAgent): Capabilities => ({
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
});

/** What the protocol has no word for is refused before a session is made, not passed over in silence. */
function objection(title: string, { modes }: Capabilities, options: SessionOptions): string | undefined {
  if (options.transport === 'dial-in') return `${title} does not dial in: leave out \`transport\`.`;
  const { permissionMode } = options;
  if (permissionMode !== undefined && !modes.includes(permissionMode)) {
    return modes.length === 0
      ? `${title} has no permission modes that are known here.`
      : `${title} cannot work in the mode ${permissionMode}; it knows ${modes.join(', ')}.`;
  }
  const unknown = UNKNOWN.find((name) => options[name] !== undefined);
  return unknown === undefined ? undefined : `ACP has nothing like \`${unknown}\`, so ${title} cannot be told: leave it out.`;
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
