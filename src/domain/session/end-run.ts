import type { EventBodyOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import type { Draft } from './draft.ts';

/** Begins the end of the present run, once. */
export function endRun(draft: Draft, reason: EventBodyOf<'run.ending'>['reason']): void {
  const { run, turn, queue } = draft.state;
  if (run.phase === 'none' || run.phase === 'ending') return;
  const midTurn = turn.phase === 'running' || inFlight(queue) !== undefined;
  draft.emit({ type: 'run.ending', run: run.run, reason });
  draft.effect({ type: 'end', run: run.run, midTurn });
}

/** The agent did not obey an interrupt in time: its process is ended, and the session goes on in a new one. */
export function escalate(draft: Draft, interrupt: CommandId): void {
  if (draft.state.interrupt?.commandId === interrupt) endRun(draft, 'stuck');
}
