import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../port/adapter.ts';
import { encode } from './encode.ts';
import { ALLOWED_FLAGS, REFUSED_ENV } from './flags.ts';
import { handshake } from './handshake.ts';
import { launch, unsupportedReason } from './launch.ts';
import { locate } from './locate.ts';
import { MODES } from './modes.ts';
import { archive } from './records/archive.ts';
import { past } from './records/past.ts';
import { memory } from './records/session-file.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { subjectOf } from './subject.ts';
import { translate } from './translate.ts';

export const codex: Adapter<State> = {
  id: AgentId.parse('codex'),
  title: 'Codex',
  icon: 'codex',
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
    // It counts tokens but knows no prices.
    cost: false,
    // They exist in its types, but were never seen.
    subagents: false,
    modes: [...MODES],
    setModel: true,
    setThinking: true,
    // It can copy up to the end of a turn, but not up to any message.
    forkAt: false,
    rewind: false,
    // It only runs exactly what it asked for.
    editInput: false,
    tools: 'bus',
  },
  verifiedWith: ['0.166.0'],
  locate,
  insideVariables: ['CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  allowedFlags: ALLOWED_FLAGS,
  refusedEnv: REFUSED_ENV,
  unsupportedReason,
  launch,
  inputAfterReady: true,
  initial,
  handshake,
  translate,
  encode,
  inputId: (commandId) => commandId,
  subjectOf,
  memory,
  past,
  archive,
};
