import type { Setting } from '../../../protocol/event.ts';
import type { CommandId } from '../../../protocol/ids.ts';
import type { Thinking } from '../../../protocol/session.ts';

/** A request to the CLI. Its id says what was asked, so we need no memory to read the answer. */
export interface Request {
  readonly id: string;
  readonly request: object;
}

/** Stands in for the command id when a process gets the session's settings at launch and no person asked. */
export const AT_LAUNCH = 'launch' as CommandId;

/** Sets the session's thinking level before the first turn, when the model isn't known yet. */
export const launchRequests = (thinking: Thinking, model = 'default'): readonly Request[] =>
  thinkingRequests(AT_LAUNCH, `set:${JSON.stringify([AT_LAUNCH, 'thinking', thinking, model])}`, thinking);

/** The requests that change a setting; the answer to the last one confirms it. */
export function settingRequests(commandId: CommandId, change: Setting): readonly Request[] {
  const id = `set:${JSON.stringify([commandId, change.setting, change.value])}`;
  if (change.setting === 'model') return [{ id, request: { subtype: 'set_model', model: change.value } }];
  if (change.setting === 'mode') return [{ id, request: { subtype: 'set_permission_mode', mode: change.value } }];
  return thinkingRequests(commandId, id, change.value);
}

/**
 * Older models take a token budget, newer ones an effort, and each ignores the other (2.1.197 and 2.1.325). The budgets are what the
 * CLI's own keywords ("think", "think hard" …) stand for. `off` is a budget of zero; a model that always thinks gets the lowest effort.
 */
const LEVELS: Readonly<Record<Thinking, { readonly tokens: number; readonly effort: string }>> = {
  off: { tokens: 0, effort: 'low' },
  low: { tokens: 4000, effort: 'low' },
  medium: { tokens: 10_000, effort: 'medium' },
  high: { tokens: 20_000, effort: 'high' },
  max: { tokens: 31_999, effort: 'max' },
};

function thinkingRequests(commandId: CommandId, id: string, value: string): readonly Request[] {
  const { tokens, effort } = LEVELS[value as Thinking] ?? LEVELS.medium;
  return [
    { id: `budget:${JSON.stringify([commandId, 'thinking', value])}`, request: { subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens } },
    { id, request: { subtype: 'apply_flag_settings', settings: { effortLevel: effort } } },
  ];
}

/** Only a dry run lists the files (2.1.197 and 2.1.325), so one comes before the real rewind. */
export function rewindRequests(commandId: CommandId, messageId: string, dryRun: boolean): readonly Request[] {
  const list = { subtype: 'rewind_files', user_message_id: messageId, dry_run: true };
  if (dryRun) return [{ id: `rewind:${JSON.stringify([commandId, true])}`, request: list }];
  return [
    { id: `rewind-list:${JSON.stringify([commandId, false])}`, request: list },
    { id: `rewind:${JSON.stringify([commandId, false])}`, request: { subtype: 'rewind_files', user_message_id: messageId } },
  ];
}
