import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';

/** How many tokens the CLI may think for each level; the numbers are those that its own words ("think", "think hard" …) stand for. */
const THINKING_TOKENS: Readonly<Record<string, number>> = { off: 0, low: 4000, medium: 10_000, high: 20_000, max: 31_999 };

export const thinkingTokens = (level: string): number => THINKING_TOKENS[level] ?? 0;

/** The request that carries a wish. Its id says what was wished, so that the answer needs no memory. */
export function settingRequest(commandId: CommandId, wish: Setting): { readonly id: string; readonly request: object } {
  return { id: `set:${JSON.stringify([commandId, wish.setting, wish.value])}`, request: requestOf(wish) };
}

function requestOf({ setting, value }: Setting): object {
  if (setting === 'model') return { subtype: 'set_model', model: value };
  if (setting === 'mode') return { subtype: 'set_permission_mode', mode: value };
  return { subtype: 'set_max_thinking_tokens', max_thinking_tokens: thinkingTokens(value) };
}

export const rewindRequest = (commandId: CommandId, messageId: string, dryRun: boolean): { readonly id: string; readonly request: object } => ({
  id: `rewind:${JSON.stringify([commandId, dryRun])}`,
  request: { subtype: 'rewind_files', user_message_id: messageId, ...(dryRun ? { dry_run: true } : {}) },
});
