import { AgentId } from '../../protocol/ids.ts';
import type { Adapter, Launch, LaunchContext, SendIntent } from '../port/adapter.ts';
import { nodeArgs, ownProgram } from '../port/own-program.ts';
import { type ScriptState, translate } from './translate.ts';
import type { ScriptRequest } from './wire.ts';

/**
 * Runs one command as an ordinary session: detached, with its output in the journal, stoppable, and alive after a server restart.
 * Internal: only the engine creates such a session and gives it its one input. The command's arguments are the session's `flags`.
 */
export const script: Adapter<ScriptState> = {
  id: AgentId.parse('script'),
  title: 'Script',
  icon: 'script',
  version: 1,
  verifiedWith: ['1'],
  internal: true,
  capabilities: {
    streaming: false,
    permissions: false,
    resume: false,
    fork: false,
    interrupt: true,
    steer: false,
    images: false,
    thinking: false,
    cost: false,
    subagents: false,
    modes: [],
    setModel: false,
    setThinking: false,
    forkAt: false,
    rewind: false,
    editInput: false,
    tools: 'none',
  },
  locate: { names: [], versionArgs: ['--version'], builtin: ownProgram('src/agents/script/program.ts', 'dist/agents/script.mjs') },
  allowedFlags: [],
  launch,
  initial: () => ({}),
  handshake: ({ options }) => [line({ type: 'command', argv: options.flags ?? [] })],
  translate,
  encode: (intent) => [line(requestOf(intent))],
  inputId: (commandId) => commandId,
  subjectOf: () => ({ kind: 'other' }),
};

/** A process that is not the first one finds the command already taken: it has nothing to do. */
function launch({ executable, env, mode }: LaunchContext): Launch {
  return { command: process.execPath, args: [...nodeArgs(executable), ...(mode === 'new' ? [] : ['--over'])], env };
}

function requestOf(intent: SendIntent): ScriptRequest {
  if (intent.kind === 'input') return { type: 'run', id: intent.commandId };
  if (intent.kind === 'interrupt') return { type: 'interrupt', request: intent.requestId };
  throw new Error(`A script takes no ${intent.kind}; its capabilities say so`);
}

const line = (request: ScriptRequest): string => JSON.stringify(request);
