import type { Observation } from '../../../protocol/observation.ts';
import { tell } from '../state.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import type { Envelope } from './wire.ts';
import { stamp } from './wire.ts';
import {
  AuthStatus,
  Content,
  MirrorError,
  Notification,
  PluginInstall,
  PromptSuggestion,
  RateLimit,
  ShuttingDown,
  ToolUseSummary,
  WritesLost,
} from './wire-system.ts';

type Level = 'info' | 'warning' | 'error';

/** Lines that only have something to say to the person; those marked (types) were read in the SDK's types and never seen. */
export const NOTICE_LINES: Readonly<Record<string, LineKind>> = {
  'system/model_refusal_no_fallback': line(Content, '`notice.shown` (warning); the turn ends with the refusal', (state, told) =>
    tell(state, shown('warning', told.content || 'The model refused to answer', told)),
  ),
  'system/informational': line(Content, '`notice.shown`', (state, told) =>
    tell(state, shown(told.level === 'warning' ? 'warning' : 'info', told.content, told)),
  ),
  'system/local_command_output': line(Content, '`notice.shown` (types)', (state, told) => tell(state, shown('info', told.content, told))),
  'system/notification': line(Notification, '`notice.shown` (types)', (state, told) =>
    tell(state, shown(told.priority === 'high' || told.priority === 'immediate' ? 'warning' : 'info', told.text, told)),
  ),
  'system/mirror_error': line(MirrorError, '`notice.shown` (types)', (state, told) => tell(state, shown('error', told.error, told))),
  'system/session_writes_lost': line(WritesLost, '`notice.shown` (types)', (state, told) =>
    tell(state, shown('error', `The agent could not write its own memory of this session (${told.error_code})`, told)),
  ),
  'system/worker_shutting_down': line(ShuttingDown, '`notice.shown` (types)', (state, told) =>
    tell(state, shown('warning', `The agent is shutting down: ${told.reason}`, told)),
  ),
  'system/plugin_install': line(PluginInstall, '`notice.shown` when one failed, else nothing (types)', (state, told) =>
    told.status === 'failed'
      ? tell(state, shown('warning', `The plugin ${told.name ?? ''} could not be installed: ${told.error ?? 'unknown'}`, told))
      : tell(state),
  ),
  auth_status: line(AuthStatus, '`notice.shown` when it has a text (types)', (state, told) => tell(state, ...authTold(told.error, told.output ?? [], told))),
  tool_use_summary: line(ToolUseSummary, '`notice.shown` (types)', (state, told) => tell(state, shown('info', told.summary, told))),
  prompt_suggestion: line(PromptSuggestion, '`suggestion.offered`', (state, told) =>
    tell(state, { type: 'suggestion.offered', text: told.suggestion, ...stamp(told) }),
  ),
  rate_limit_event: line(RateLimit, '`limit.reported`; printed to an account, never for an API key', (state, { rate_limit_info: limit, ...told }) =>
    tell(state, limitReported(limit, told)),
  ),
  'system/commands_changed': silent('the next `init` names the commands (types)'),
  'system/files_persisted': silent('of the remote mode only (types)'),
  'system/memory_recall': silent('what the model was given to read beside the prompt (types)'),
  'system/elicitation_complete': silent('we refuse elicitations (types)'),
  conversation_reset: silent('the next `init` carries the new session id'),
  active_goal: silent('a display of the terminal (types)'),
  keep_alive: silent('it says nothing'),
  tool_progress: silent('only in the remote mode, and the tool itself ends'),
  transcript_mirror: silent("the agent's own file, printed as well; we never ask for it"),
};

const shown = (level: Level, text: string, source: Envelope): Observation => ({ type: 'notice.shown', level, text, ...stamp(source) });

function authTold(error: string | undefined, output: readonly string[], source: Envelope): Observation[] {
  if (error) return [shown('error', error, source)];
  return output.length > 0 ? [shown('info', output.join('\n'), source)] : [];
}

interface Limit extends Readonly<Record<string, unknown>> {
  readonly status: string;
  readonly resetsAt?: number | undefined;
  readonly rateLimitType?: string | undefined;
}

function limitReported(limit: Limit, source: Envelope): Observation {
  const overage = Object.fromEntries(Object.entries(limit).filter(([field]) => /overage/i.test(field)));
  return {
    type: 'limit.reported',
    status: limit.status,
    kind: limit.rateLimitType ?? 'unknown',
    // Seconds since 1970.
    ...(limit.resetsAt === undefined ? {} : { resetsAt: new Date(limit.resetsAt * 1000).toISOString() }),
    ...(Object.keys(overage).length > 0 ? { overage } : {}),
    ...stamp(source),
  };
}
