import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../port/adapter.ts';
import { archive } from './archive.ts';
import { encode } from './encode.ts';
import { handshake } from './handshake.ts';
import { launch, unsupportedReason } from './launch.ts';
import { locate } from './locate.ts';
import { MODES } from './modes.ts';
import { inputIdOf } from './request-id.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { subjectOf } from './subject.ts';
import { translate } from './translate.ts';

export const openclaw: Adapter<State> = {
  id: AgentId.parse('openclaw'),
  title: 'OpenClaw',
  icon: 'openclaw',
  version: 2,
  capabilities: {
    streaming: true,
    permissions: true,
    resume: true,
    fork: true,
    interrupt: true,
    steer: true,
    images: true,
    thinking: true,
    cost: true,
    // They have their own conversations, which were never seen.
    subagents: false,
    modes: [...MODES],
    setModel: true,
    setThinking: true,
    // It copies the entire conversation.
    forkAt: false,
    rewind: false,
    // It only runs exactly what it asked for.
    editInput: false,
    tools: 'none',
  },
  verifiedWith: ['2026.9.6'],
  locate,
  runsPerMessage: true,
  insideVariables: ['OPENCLAW_SESSION', 'OPENCLAW_SESSION_KEY', 'OPENCLAW_SESSION_ID'],
  allowedFlags: [],
  // All sessions share one Gateway, so none has its own environment.
  refusedEnv: [/^/],
  unsupportedReason,
  launch,
  inputAfterReady: true,
  initial,
  handshake,
  translate,
  encode,
  inputId: inputIdOf,
  subjectOf,
  archive,
};
