import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';
import { foldMark } from './fold-mark.ts';

/** A turn that a message began needs no mark: the message is it. One that the agent began by itself does. */
export function foldTurnStarted(draft: Draft, event: EventOf<'turn.started'>): void {
  draft.suggestions = [];
  if (event.cause !== 'input') foldMark(draft, event);
}

export function foldTurnCompleted(draft: Draft, event: EventOf<'turn.completed'>): void {
  dropUnfinished(draft);
  const said = lastText(draft);
  const problems = problemsOf(event).filter((problem) => !endsWith(said, problem));
  put(draft, { kind: 'turn', key: `turn:${event.turnId}`, seq: event.seq, at: event.at, completed: event, problems });
}

/** What the turn was still writing when it ended never became an item. Subagents may go on in the background. */
function dropUnfinished(draft: Draft): void {
  for (const item of draft.live.values()) {
    if (item.parentToolUseId === undefined) draft.live.delete(item.key);
  }
}

function problemsOf({ isError, errors, result }: EventOf<'turn.completed'>): readonly string[] {
  if (!isError) return [];
  return errors ?? (result === undefined ? [] : [result]);
}

/** The last thing that the agent said in this turn. */
function lastText({ order, items }: Draft): string {
  for (let at = order.length - 1; at >= 0; at--) {
    const item = items.get(order[at] ?? '');
    if (item?.kind === 'text') return item.text;
    if (item?.kind === 'user' || item?.kind === 'turn') return '';
  }
  return '';
}

/** Whether it is the whole text or its last lines, however they are broken: a word of it that was used before tells nobody what went wrong. */
function endsWith(text: string, problem: string): boolean {
  const sought = plain(problem);
  if (!plain(text).endsWith(sought)) return false;
  const lines = text.split('\n');
  return sought === '' || lines.some((_, from) => plain(lines.slice(from).join(' ')) === sought);
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
