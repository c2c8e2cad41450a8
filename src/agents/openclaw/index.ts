import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../adapter.ts';
import { encode } from './encode.ts';
import { greeting } from './greeting.ts';
import { archive } from './history.ts';
import { launch, objection } from './launch.ts';
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
  version: 1,
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
    // They have conversations of their own, which were not seen at work.
    subagents: false,
    modes: [...MODES],
    setModel: true,
    setThinking: true,
    // It copies up to the end.
    forkAt: false,
    rewind: false,
    // It runs what it asked for and nothing else.
    editInput: false,
  },
  verifiedWith: ['2026.9.6'],
  locate,
  allowedFlags: [],
  // All sessions share one Gateway: none has an environment of its own.
  refusedEnv: [/^/],
  objection,
  launch,
  inputAfterReady: true,
  initial,
  greet: greeting,
  translate,
  encode,
  inputId: inputIdOf,
  subjectOf,
  archive,
};
