import { AgentId } from '../../protocol/ids.ts';
import type { Adapter } from '../port/adapter.ts';
import { ALLOWED_FLAGS, REFUSED_ENV } from './flags.ts';
import { hooks } from './hooks.ts';
import { launch } from './launch.ts';
import { encode, handshake, inputId } from './lines/encode.ts';
import type { State } from './lines/state.ts';
import { initial } from './lines/state.ts';
import { subjectOf } from './lines/subject.ts';
import { locate } from './locate.ts';
import { ownServerFiles } from './own-servers.ts';
import { archive } from './records/archive.ts';
import { past } from './records/past.ts';
import { memory } from './records/session-file.ts';
import { registry } from './registry.ts';
import { unsupportedReason } from './sdk-url-transport.ts';
import { translate } from './translate.ts';

export const claudeCode: Adapter<State> = {
  id: AgentId.parse('claude-code'),
  title: 'Claude Code',
  icon: 'claude-code',
  version: 4,
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
    subagents: true,
    modes: ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'],
    setModel: true,
    setThinking: true,
    forkAt: true,
    rewind: true,
    editInput: true,
    tools: 'bus',
  },
  runsWithoutTools: true,
  verifiedWith: ['2.1.197', '2.1.325'],
  locate,
  insideVariables: ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SSE_PORT', 'CLAUDE_PID', 'AI_AGENT'],
  unsupportedReason,
  allowedFlags: ALLOWED_FLAGS,
  refusedEnv: REFUSED_ENV,
  rootBypassVariable: 'IS_SANDBOX',
  launch,
  initial,
  handshake,
  translate,
  encode,
  inputId,
  subjectOf,
  ownServerFiles,
  memory,
  past,
  archive,
  registry,
  hooks,
};
