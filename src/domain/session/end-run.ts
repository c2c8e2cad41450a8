import type { EventBodyOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import type { Draft } from './draft.ts';
import type { SessionState } from './state.ts';

/** Whether something would continue unattended, or be refused, if the agent's input just ended: a turn, a message in flight, a subagent, a request. */
export const hasUnfinishedWork = ({ turn, queue, tasks, permissions }: SessionState): boolean =>
  turn.phase === 'running' || inFlight(queue) !== undefined || permissions.length > 0 || tasks.some((task) => task.kind === 'subagent');

/** Starts ending the current run, once. */
export function endRun(draft: Draft, reason: EventBodyOf<'run.ending'>['reason']): void {
  const { run } = draft.state;
  if (run.phase === 'none' || run.phase === 'ending') return;
  const midTurn = hasUnfinishedWork(draft.state);
  draft.emit({ type: 'run.ending', run: run.run, reason });
  draft.effect({ type: 'end', run: run.run, midTurn });
}

/** The agent did not act on an interrupt in time: its process is ended, and the session continues in a new one. */
export function escalate(draft: Draft, interrupt: CommandId): void {
  if (draft.state.interrupt?.commandId === interrupt) endRun(draft, 'stuck');
}
