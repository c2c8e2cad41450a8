import type { Adapter, SendIntent } from '../../../src/agents/port/adapter.ts';
import { AgentId } from '../../../src/protocol/ids.ts';
import { initial, type StandInState, translate } from './translate.ts';
import { OURS } from './wire.ts';

/** The variable with the path of the executable: what `standIn()` in ../agents/stand-in-program.ts compiled, or the same program in Node. */
export const STAND_IN_VARIABLE = 'STAND_IN_PATH';

/** The adapter of the fast stand-in, which replaces a real agent behind the complete server. It stores no sessions of its own. */
export const standInAdapter: Adapter<StandInState> = {
  id: AgentId.parse('stand-in'),
  title: 'Stand-in',
  icon: 'stand-in',
  version: 1,
  verifiedWith: ['1.0.0'],
  capabilities: {
    streaming: true,
    permissions: true,
    resume: true,
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
  locate: { variable: STAND_IN_VARIABLE, names: [], versionArgs: ['--version'] },
  allowedFlags: [],
  launch: ({ executable, agentSessionId, env }) => ({ command: executable, args: ['--session', agentSessionId], env }),
  initial,
  handshake: () => [],
  translate,
  encode: (intent) => [JSON.stringify(lineOf(intent))],
  inputId: (commandId) => commandId,
  subjectOf: () => ({ kind: 'other' }),
};

function lineOf(intent: SendIntent): object {
  switch (intent.kind) {
    case 'input':
      return { t: 'input', id: intent.commandId, text: intent.text };
    case 'interrupt':
      return { t: 'interrupt', id: `${OURS}${intent.requestId}` };
    case 'set':
    case 'rewind':
    case 'tool-answer':
      throw new Error(`The stand-in cannot ${intent.kind}`);
    case 'answer':
      return { t: 'answer', id: `${OURS}${intent.agentRequestId}`, request: intent.agentRequestId, allow: intent.verdict.behavior === 'allow' };
  }
}
