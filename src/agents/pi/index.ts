import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../port/adapter.ts';
import { encode, handshake } from './encode.ts';
import { ALLOWED_FLAGS, REFUSED_ENV } from './flags.ts';
import { launch, MODES, unsupportedReason } from './launch.ts';
import { locate } from './locate.ts';
import { archive } from './records/archive.ts';
import { past } from './records/past.ts';
import { memory } from './records/session-file.ts';
import type { State } from './state.ts';
import { initial } from './state.ts';
import { subjectOf } from './subject.ts';
import { translate } from './translate.ts';

export const pi: Adapter<State> = {
  id: AgentId.parse('pi'),
  title: 'Pi',
  icon: 'pi',
  version: 1,
  capabilities: {
    streaming: true,
    // Through our extension inside Pi, which never asks by itself.
    permissions: true,
    resume: true,
    fork: true,
    interrupt: true,
    steer: true,
    images: true,
    thinking: true,
    cost: true,
    subagents: false,
    modes: [...MODES],
    setModel: true,
    setThinking: true,
    // Pi can copy up to any message, but doesn't report message ids during a turn.
    forkAt: false,
    rewind: false,
    editInput: true,
    tools: 'bus',
  },
  verifiedWith: ['0.73.1', '0.87.1'],
  locate,
  allowedFlags: ALLOWED_FLAGS,
  refusedEnv: REFUSED_ENV,
  unsupportedReason,
  launch,
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
