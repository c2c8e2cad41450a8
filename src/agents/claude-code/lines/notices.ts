import type { Observation } from '../../../protocol/observation.ts';
import { emit } from '../../formats/fold.ts';
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

/** Lines that only inform the person; those marked (types) come from the SDK's types and were never seen. */
export const NOTICE_LINES: Readonly<Record<string, LineKind>> = {
  'system/model_refusal_no_fallback': line(Content, '`notice.shown` (warning); the turn ends with the refusal', (state, notice) =>
    emit(state, shown('warning', notice.content || 'The model refused to answer', notice)),
  ),
  'system/informational': line(Content, '`notice.shown`', (state, notice) =>
    emit(state, shown(notice.level === 'warning' ? 'warning' : 'info', notice.content, notice)),
  ),
  'system/local_command_output': line(Content, '`notice.shown` (types)', (state, notice) => emit(state, shown('info', notice.content, notice))),
  'system/notification': line(Notification, '`notice.shown` (types)', (state, notice) =>
    emit(state, shown(notice.priority === 'high' || notice.priority === 'immediate' ? 'warning' : 'info', notice.text, notice)),
  ),
  'system/mirror_error': line(MirrorError, '`notice.shown` (types)', (state, notice) => emit(state, shown('error', notice.error, notice))),
  'system/session_writes_lost': line(WritesLost, '`notice.shown` (types)', (state, notice) =>
    emit(state, shown('error', `The agent could not save its own record of this session (${notice.error_code})`, notice)),
  ),
  'system/worker_shutting_down': line(ShuttingDown, '`notice.shown` (types)', (state, notice) =>
    emit(state, shown('warning', `The agent is shutting down: ${notice.reason}`, notice)),
  ),
  'system/plugin_install': line(PluginInstall, '`notice.shown` when one failed, otherwise nothing (types)', (state, notice) =>
    notice.status === 'failed'
      ? emit(state, shown('warning', `The plugin ${notice.name ?? ''} could not be installed: ${notice.error ?? 'unknown'}`, notice))
      : emit(state),
  ),
  auth_status: line(AuthStatus, '`notice.shown` when it has text (types)', (state, notice) =>
    emit(state, ...observeAuth(notice.error, notice.output ?? [], notice)),
  ),
  tool_use_summary: line(ToolUseSummary, '`notice.shown` (types)', (state, notice) => emit(state, shown('info', notice.summary, notice))),
  prompt_suggestion: line(PromptSuggestion, '`suggestion.offered`', (state, notice) =>
    emit(state, { type: 'suggestion.offered', text: notice.suggestion, ...stamp(notice) }),
  ),
  rate_limit_event: line(RateLimit, '`limit.reported`; printed for an account, never for an API key', (state, { rate_limit_info: limit, ...notice }) =>
    emit(state, limitReported(limit, notice)),
  ),
  'system/commands_changed': silent('the next `init` lists the commands (types)'),
  'system/files_persisted': silent('only in the remote mode (types)'),
  'system/memory_recall': silent('what the model got in addition to the prompt (types)'),
  'system/elicitation_complete': silent('we refuse elicitations (types)'),
  conversation_reset: silent('the next `init` has the new session id'),
  active_goal: silent('only shown in a terminal (types)'),
  keep_alive: silent('it has no content'),
  tool_progress: silent('only in the remote mode; the end of the tool is reported anyway'),
  transcript_mirror: silent("a copy of the agent's own file; we never request it"),
};

const shown = (level: Level, text: string, source: Envelope): Observation => ({ type: 'notice.shown', level, text, ...stamp(source) });

function observeAuth(error: string | undefined, output: readonly string[], source: Envelope): Observation[] {
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
