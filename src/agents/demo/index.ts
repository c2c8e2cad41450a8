import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../adapter.ts';
import { encode } from './encode.ts';
import { launch, locate } from './launch.ts';
import { memory } from './memory.ts';
import { subjectOf } from './subject.ts';
import { type DemoState, translate } from './translate.ts';

/** The agent that is always there: needs no account, costs nothing, and shows what a session can do. */
export const demo: Adapter<DemoState> = {
  id: AgentId.parse('demo'),
  title: 'Demo agent',
  icon: 'demo',
  version: 1,
  verifiedWith: ['1'],
  capabilities: {
    streaming: true,
    permissions: true,
    resume: true,
    fork: true,
    interrupt: true,
    steer: false,
    images: false,
    thinking: true,
    cost: false,
    subagents: false,
    modes: [],
    setModel: false,
    setThinking: false,
    forkAt: false,
    rewind: false,
  },
  locate,
  allowedFlags: [],
  launch,
  initial: () => ({}),
  greet: () => [],
  translate,
  encode,
  inputId: (commandId) => commandId,
  subjectOf,
  memory,
};
