import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Draft } from './draft.ts';
import { drive, open } from './drive.ts';
import { endRun, isAtWork } from './end-run.ts';
import type { Driver, SessionState } from './state.ts';

/** The agent's conversation that this session writes, or would write with its next process. A copy has none before its first message. */
export function conversationOf({ origin, hasHistory, agentSessionId, run }: SessionState): string | null {
  if (run.phase !== 'none' || hasHistory) return agentSessionId;
  return origin?.kind === 'resume' ? origin.agentSessionId : null;
}

/** Another program holds the conversation. Our own process, when it has nothing to do, steps aside: two must never write. */
export function foundDriver(draft: Draft, { pid, since, what }: Driver): void {
  if (draft.state.driver?.pid !== pid) {
    draft.emit({ type: 'driver.found', pid, actor: SYSTEM, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });
  }
  if (draft.state.run.phase === 'ready' && !isAtWork(draft.state)) endRun(draft, 'sleep');
}

/** It has let go; what waits goes on. After a takeover the session gets its process at once. */
export function lostDriver(draft: Draft, reason: string): void {
  const { driver } = draft.state;
  if (driver === null) return;
  draft.emit({ type: 'driver.gone', pid: driver.pid, reason, actor: SYSTEM });
  if (driver.isLeaving === true && draft.state.run.phase === 'none' && draft.now.placeFree) open(draft, 'driver.gone');
  drive(draft, 'driver.gone');
}

/** Ends the other program that holds the conversation; what waits goes on when it is gone. */
export function takeOver(draft: Draft, command: CommandOf<'session.takeover'>): Refusal | undefined {
  const { driver } = draft.state;
  if (driver === null) return { refused: 'conflict', message: 'No other program holds this conversation.' };
  requestTakeover(draft, command.commandId, driver.pid);
  return undefined;
}

export function requestTakeover(draft: Draft, commandId: CommandId, pid: number): void {
  draft.emit({ type: 'takeover.requested', commandId, pid });
  draft.effect({ type: 'take-over', pid });
}
