import type { Event } from '../../protocol/event.ts';
import type { CommandId, TurnId } from '../../protocol/ids.ts';

/** A moment at which the files are kept. */
export interface Moment {
  readonly when: 'before' | 'after';
  /** The event that caused it; a tool that started later makes the checkpoint late. */
  readonly seq: number;
  readonly commandId?: CommandId;
  readonly turnId?: TurnId;
}

/** The moments in these events: a message is delivered while no turn runs, the agent starts on its own, a turn ends. */
export function momentsIn(events: readonly Event[], isRunning: boolean): readonly Moment[] {
  const moments: Moment[] = [];
  let running = isRunning;
  for (const event of events) {
    if (event.inherited === true || event.elsewhere === true) continue;
    if (event.type === 'input.delivered' && !running) moments.push({ when: 'before', seq: event.seq, commandId: event.commandId });
    if (event.type === 'turn.started') {
      if (event.commandId === undefined) moments.push({ when: 'before', seq: event.seq, turnId: event.turnId });
      running = true;
    }
    if (event.type === 'turn.completed') {
      moments.push({ when: 'after', seq: event.seq, turnId: event.turnId, ...(event.commandId !== undefined && { commandId: event.commandId }) });
      running = false;
    }
  }
  return moments;
}
