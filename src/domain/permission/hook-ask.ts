import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { ItemId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Draft } from '../session/draft.ts';
import type { HookAsk } from '../session/state.ts';
import { agentOf, judgeOne } from './answer.ts';
import { hookRequestOf, noteAnswer } from './hook-request.ts';

export const IN_THE_TERMINAL = 'answered in the terminal';

/** What an agent in a terminal reports through its hooks. */
export function hookCommand(draft: Draft, command: CommandOf<'hook.ask' | 'hook.settle' | 'hook.report'>): Refusal | undefined {
  switch (command.type) {
    case 'hook.ask':
      return ask(draft, command);
    case 'hook.settle':
      settleAsks(draft, command.lapsed ? 'lapsed' : 'terminal', command.reason, ({ askId }) => askId === command.askId);
      return undefined;
    case 'hook.report':
      return report(draft, command);
  }
}

/** The same card as for any other request; the terminal shows its own dialog meanwhile, and the first answer wins. */
function ask(draft: Draft, { askId, tool, input, kind, subject, suggestions }: CommandOf<'hook.ask'>): Refusal | undefined {
  const { terminal } = draft.state;
  if ([...(terminal?.asks ?? []), ...(terminal?.answered ?? [])].some((known) => known.askId === askId)) return undefined;
  if (JSON.stringify(input).length > LIMITS.inlineBytes) return { refused: 'too-large', message: `The call is longer than ${LIMITS.inlineBytes} bytes.` };
  const requestId = hookRequestOf(askId);
  const about = { tool, input, ...(subject !== undefined && { subject }), actor: agentOf(draft) };
  draft.emit({ type: 'hook.asked', askId, ...about });
  draft.emit({
    type: 'permission.requested',
    requestId,
    agentRequestId: askId,
    kind,
    itemId: requestId as string as ItemId,
    ...(suggestions !== undefined && suggestions.length > 0 && { suggestions }),
    ...about,
  });
  const open = draft.state.permissions.find((request) => request.requestId === requestId);
  if (open !== undefined) judgeOne(draft, open);
  return undefined;
}

function report(draft: Draft, { event, text }: CommandOf<'hook.report'>): undefined {
  draft.emit({ type: 'hook.reported', event, actor: agentOf(draft), ...(text !== undefined && { text }) });
  if (event === 'Stop') settleAsks(draft, 'terminal', IN_THE_TERMINAL, () => true);
  if (event === 'SessionEnd') settleAsks(draft, 'lapsed', 'the terminal session ended', () => true);
}

/** Requests that nobody can answer here anymore. */
export function settleAsks(draft: Draft, by: 'terminal' | 'lapsed', message: string, concerned: (ask: HookAsk) => boolean): void {
  const outcome = by === 'terminal' ? 'cancelled' : 'lapsed';
  for (const open of (draft.state.terminal?.asks ?? []).filter(concerned)) {
    draft.emit({ type: 'permission.resolved', requestId: open.requestId, outcome, message, actor: by === 'terminal' ? agentOf(draft) : SYSTEM });
    noteAnswer(draft, open.askId, outcome, by);
  }
}
