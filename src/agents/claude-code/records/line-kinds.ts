import type { Entry } from './entry.ts';

/** Lines of the tree; `observe-line.ts` reads them. */
const IN_TREE = ['user', 'assistant', 'attachment', 'system', 'progress'] as const;

/** Lines outside the tree, seen or named in the program, with nothing to show in a transcript. */
const OUTSIDE_TREE = [
  'queue-operation',
  'last-prompt',
  'mode',
  'permission-mode',
  'custom-title',
  'ai-title',
  'summary',
  'tag',
  'agent-name',
  'agent-color',
  'agent-setting',
  'pr-link',
  'worktree-state',
  'file-history-snapshot',
  'attribution-snapshot',
  'content-replacement',
  'marble-origami-commit',
  'marble-origami-snapshot',
  'speculation-accept',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'cost-state',
  'tools-used',
  'artifact-autoreact-ledger',
  'artifact-comment-monitor',
  'bridge-session',
  'continued-in',
  'data-flow-incomplete',
  'data-flow-records',
  'derived-from',
  'dev-mods',
  'ended-by-model',
  'file-history-delta',
  'fork-context-ref',
  'frame-link',
  'history-suppression',
  'isolation-latch',
  'marble-origami-reset',
  'memory-mode',
  'observer-ref',
  'relocated',
  'repl-mode',
  'resume-head-vouch',
  'session-owner',
] as const;

export const KNOWN_KINDS: ReadonlySet<string> = new Set<string>([...IN_TREE, ...OUTSIDE_TREE]);

export const isKnownKind = ({ line }: Entry): boolean => line !== undefined && KNOWN_KINDS.has(line.type);

/** System lines whose text a terminal shows. */
export const SHOWN_SYSTEM: ReadonlySet<string> = new Set([
  'informational',
  'notification',
  'model_fallback',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'model_consent_fallback',
  'instruction_size_warning',
  'file_attachments_missing',
]);

/** System lines that a transcript does not show. */
export const SILENT_SYSTEM: ReadonlySet<string> = new Set([
  'turn_duration',
  'stop_hook_summary',
  'microcompact_boundary',
  'away_summary',
  'memory_saved',
  'bridge_status',
  'agents_killed',
  'scheduled_task_fire',
  'permission_retry',
  'file_snapshot',
  'memory_recall',
  'post_turn_summary',
  'rewind_stand_in',
  'task_summary',
  'turn_preempted',
  'turn_starting',
]);
