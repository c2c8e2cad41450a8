import type * as z from 'zod/mini';
import { emit, emitNothing } from '../../formats/fold.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import { modeChanged } from './session.ts';
import type { State, Step } from './state.ts';
import { itemOf, stamp } from './wire.ts';
import {
  ApiRetry,
  CodeChangePublished,
  CompactBoundary,
  HookResponse,
  ModelSwitch,
  PermissionDenied,
  Status,
  TitleChanged,
  VcsStateChanged,
} from './wire-system.ts';

export const SYSTEM_LINES: Readonly<Record<string, LineKind>> = {
  'system/status': line(
    Status,
    '`mode.changed` when it has a new permission mode, `context.compacted` (failed) when a compaction failed, otherwise nothing',
    observeStatus,
  ),
  'system/api_retry': line(ApiRetry, '`retry.reported`', retried),
  'system/model_fallback': line(ModelSwitch, '`model.changed`', modelSwitched),
  'system/model_refusal_fallback': line(ModelSwitch, '`model.changed` (types)', modelSwitched),
  'system/compact_boundary': line(CompactBoundary, '`context.compacted`', compacted),
  'system/permission_denied': line(PermissionDenied, '`notice.shown` below the tool call; the tool itself ends with the same text', denied),
  'system/vcs_state_changed': line(VcsStateChanged, '`vcs.reported` (2.1.325)', (state, { kind: action, branch, cwd, ...source }) =>
    emit(state, { type: 'vcs.reported', action, ...(branch === undefined ? {} : { branch }), ...(cwd === undefined ? {} : { cwd }), ...stamp(source) }),
  ),
  'system/code_change_published': line(CodeChangePublished, '`vcs.reported` with the address of the pull request (2.1.325)', published),
  'system/session_title_changed': line(
    TitleChanged,
    '`title.reported`: a name that a person gave, never a generated title (2.1.325)',
    (state, { title, ...source }) => emit(state, { type: 'title.reported', title, named: true, ...stamp(source) }),
  ),
  'system/hook_started': silent('`hook_response` reports all of it'),
  'system/hook_progress': silent('`hook_response` reports all of it'),
  'system/hook_response': line(HookResponse, '`hook.ran`', hookRan),
  'system/thinking_tokens': silent('only an estimate; the thinking itself is reported'),
  'system/session_state_changed': silent('turns and permission requests report the state'),
  'system/control_request_progress': silent('the reply reports the outcome'),
};

function observeStatus(state: State, status: z.infer<typeof Status>): Step {
  if (status.compact_result === 'failed') {
    const trigger = state.isTurnRunning ? 'auto' : 'manual';
    return emit(state, { type: 'context.compacted', trigger, failed: status.compact_error ?? 'unknown', ...stamp(status) });
  }
  const mode = status.permissionMode;
  // Before the first turn, the answer to our request and `init` report it.
  if (mode === undefined || state.session === null || mode === state.session.mode) return emitNothing(state);
  return emit({ ...state, session: { ...state.session, mode } }, modeChanged(mode, status));
}

function retried(state: State, retry: z.infer<typeof ApiRetry>): Step {
  return emit(state, {
    type: 'retry.reported',
    attempt: retry.attempt,
    maxAttempts: retry.max_retries,
    delayMs: retry.retry_delay_ms,
    error: retry.error_status ? `${retry.error} (${retry.error_status})` : retry.error,
    ...stamp(retry),
  });
}

function modelSwitched(state: State, change: z.infer<typeof ModelSwitch>): Step {
  // The next `init` shows whether it switched back.
  const session = state.session && { ...state.session, model: change.fallback_model };
  return emit({ ...state, session }, { type: 'model.changed', model: change.fallback_model, reason: change.content, ...stamp(change) });
}

function compacted(state: State, boundary: z.infer<typeof CompactBoundary>): Step {
  return emit(
    { ...state, contextTokens: boundary.compact_metadata.post_tokens ?? null },
    {
      type: 'context.compacted',
      trigger: boundary.compact_metadata.trigger,
      preTokens: boundary.compact_metadata.pre_tokens,
      postTokens: boundary.compact_metadata.post_tokens,
      ...stamp(boundary),
    },
  );
}

function published(state: State, { provider, url, repo, identifier, action, branch, ...source }: z.infer<typeof CodeChangePublished>): Step {
  return emit(state, {
    type: 'vcs.reported',
    action: action ?? 'published',
    ...(branch === undefined ? {} : { branch }),
    published: { url, repo, identifier, ...(provider === undefined ? {} : { provider }) },
    ...stamp(source),
  });
}

function denied(state: State, denial: z.infer<typeof PermissionDenied>): Step {
  return emit(state, {
    type: 'notice.shown',
    level: 'warning',
    text: denial.message,
    parentItemId: itemOf(denial.tool_use_id),
    ...stamp(denial),
  });
}

function hookRan(state: State, hook: z.infer<typeof HookResponse>): Step {
  return emit(state, {
    type: 'hook.ran',
    name: hook.hook_name,
    event: hook.hook_event,
    outcome: hook.outcome,
    exitCode: hook.exit_code ?? undefined,
    output: hook.output,
    ...stamp(hook),
  });
}
