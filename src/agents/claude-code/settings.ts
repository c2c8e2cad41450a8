import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Thinking } from '../../protocol/session.ts';

/** A request to the CLI. Its id says what was asked, so that the answer needs no memory. */
export interface Request {
  readonly id: string;
  readonly request: object;
}

/** The command of a wish that nobody asked for now: a process is told at its start how the session stands. */
export const AT_LAUNCH = 'launch' as CommandId;

/** What a process is told of the session's thinking before its first turn, when nothing yet has said which model it runs. */
export const launchRequests = (thinking: Thinking, model = 'default'): readonly Request[] =>
  thinkingRequests(AT_LAUNCH, `set:${JSON.stringify([AT_LAUNCH, 'thinking', thinking, model])}`, thinking);

/** The requests that carry a wish; the answer to the last one settles it. */
export function settingRequests(commandId: CommandId, wish: Setting): readonly Request[] {
  const id = `set:${JSON.stringify([commandId, wish.setting, wish.value])}`;
  if (wish.setting === 'model') return [{ id, request: { subtype: 'set_model', model: wish.value } }];
  if (wish.setting === 'mode') return [{ id, request: { subtype: 'set_permission_mode', mode: wish.value } }];
  return thinkingRequests(commandId, id, wish.value);
}

/**
 * Older models are given a budget of tokens, newer ones an effort, and each ignores the other (2.1.197 and 2.1.325). Budgets are what the
 * CLI's own words ("think", "think hard" …) stand for. No thinking at all is a budget of none; a model that always thinks gets the least effort.
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

/** Only a dry run names the files (2.1.197 and 2.1.325), so one goes before the real thing. */
export function rewindRequests(commandId: CommandId, messageId: string, dryRun: boolean): readonly Request[] {
  const list = { subtype: 'rewind_files', user_message_id: messageId, dry_run: true };
  if (dryRun) return [{ id: `rewind:${JSON.stringify([commandId, true])}`, request: list }];
  return [
    { id: `rewind-list:${JSON.stringify([commandId, false])}`, request: list },
    { id: `rewind:${JSON.stringify([commandId, false])}`, request: { subtype: 'rewind_files', user_message_id: messageId } },
  ];
}
