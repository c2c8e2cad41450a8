import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../port/adapter.ts';
import { archive } from './archive.ts';
import { encode } from './encode.ts';
import { launch, locate } from './launch.ts';
import { past } from './past.ts';
import { memory } from './program/session-file.ts';
import { subjectOf } from './subject.ts';
import { type DemoState, translate } from './translate.ts';

/** The built-in agent: needs no account, costs nothing, and shows what a session can do. */
export const demo: Adapter<DemoState> = {
  id: AgentId.parse('demo'),
  title: 'Demo agent',
  icon: 'demo',
  version: 2,
  verifiedWith: ['2'],
  capabilities: {
    streaming: true,
    permissions: true,
    resume: true,
    fork: true,
    interrupt: true,
    steer: true,
    images: true,
    thinking: true,
    cost: false,
    subagents: true,
    modes: ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'],
    setModel: true,
    setThinking: true,
    forkAt: true,
    rewind: false,
    editInput: true,
    tools: 'bus',
  },
  locate,
  allowedFlags: [],
  launch,
  initial: () => ({}),
  handshake: () => [],
  translate,
  encode,
  inputId: (commandId) => commandId,
  subjectOf,
  // So that people can try the tools over HTTP without installing an agent.
  wantsRunToken: true,
  memory,
  past,
  archive,
};
