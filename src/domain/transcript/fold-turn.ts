import type { EventOf } from '../../protocol/event.ts';
import { workMs } from '../work-time.ts';
import { type Draft, put } from './draft.ts';
import { foldMark } from './fold-mark.ts';

/** A turn started by a message needs no mark, because the message is one. A turn that the agent started on its own does. */
export function foldTurnStarted(draft: Draft, event: EventOf<'turn.started'>): void {
  draft.suggestions = [];
  if (event.cause !== 'input') foldMark(draft, event);
}

export function foldTurnCompleted(draft: Draft, event: EventOf<'turn.completed'>): void {
  dropUnfinished(draft);
  const answer = lastText(draft);
  const problems = problemsOf(event).filter((problem) => !endsWith(answer, problem));
  const took = workOf(draft, event);
  put(draft, {
    kind: 'turn',
    key: `turn:${event.turnId}`,
    seq: event.seq,
    at: event.at,
    completed: event,
    problems,
    ...(took !== undefined && { workMs: took }),
  });
}

/** The time between the events, which every surface knows. The agent's own figure is used only where those times are not known. */
function workOf({ events }: Draft, completed: EventOf<'turn.completed'>): number | undefined {
  const waits: { from: number; to?: number; id: string }[] = [];
  for (let at = events.length - 1; at >= 0; at--) {
    const event = events[at];
    if (event?.type === 'permission.resolved') waits.push({ id: event.requestId, from: Number.NaN, to: Date.parse(event.at) });
    if (event?.type === 'permission.requested') {
      const wait = waits.find(({ id }) => id === event.requestId);
      if (wait !== undefined) wait.from = Date.parse(event.at);
    }
    if (event?.type !== 'turn.started' || event.turnId !== completed.turnId) continue;
    if (event.atKnown === false || completed.atKnown === false) break;
    return workMs(
      { from: Date.parse(event.at), to: Date.parse(completed.at) },
      waits.filter(({ from }) => !Number.isNaN(from)),
    );
  }
  return completed.durationMs;
}

/** Text that was still being written when the turn ended never becomes an item. Subagents can continue in the background. */
function dropUnfinished(draft: Draft): void {
  for (const item of draft.live.values()) {
    if (item.parentToolUseId === undefined) draft.live.delete(item.key);
  }
}

function problemsOf({ isError, errors, result }: EventOf<'turn.completed'>): readonly string[] {
  if (!isError) return [];
  return errors ?? (result === undefined ? [] : [result]);
}

/** The agent's last text in this turn. */
function lastText({ order, items }: Draft): string {
  for (let at = order.length - 1; at >= 0; at--) {
    const item = items.get(order[at] ?? '');
    if (item?.kind === 'text') return item.text;
    if (item?.kind === 'user' || item?.kind === 'turn') return '';
  }
  return '';
}

/** Whether the problem is the whole text or its last lines, ignoring line breaks: merely using the same word does not explain what went wrong. */
function endsWith(text: string, problem: string): boolean {
  const sought = plain(problem);
  if (!plain(text).endsWith(sought)) return false;
  const lines = text.split('\n');
  return sought === '' || lines.some((_, from) => plain(lines.slice(from).join(' ')) === sought);
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
