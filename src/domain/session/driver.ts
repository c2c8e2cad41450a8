import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { settleAsks } from '../permission/hook-ask.ts';
import { advance, openRunOrJoinLine } from './advance.ts';
import type { Draft } from './draft.ts';
import { endRun, hasUnfinishedWork } from './end-run.ts';
import type { Driver, SessionState } from './state.ts';

/** The agent's conversation that this session writes, or would write with its next process. A fork has none before its first message. */
export function conversationOf({ origin, hasHistory, agentSessionId, run }: SessionState): string | null {
  if (run.phase !== 'none' || hasHistory) return agentSessionId;
  return origin?.kind === 'resume' ? origin.agentSessionId : null;
}

/** Another program has the conversation open. Our own process, if idle, ends: two must never write. */
export function foundDriver(draft: Draft, { pid, since, what }: Driver): void {
  if (draft.state.driver?.pid !== pid) {
    draft.emit({ type: 'driver.found', pid, actor: SYSTEM, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });
  }
  if (draft.state.run.phase === 'ready' && !hasUnfinishedWork(draft.state)) endRun(draft, 'sleep');
}

/** The other program closed the conversation: the queue continues. After a takeover the session gets its process at once. */
export function lostDriver(draft: Draft, reason: string): void {
  const { driver } = draft.state;
  if (driver === null) return;
  settleAsks(draft, 'lapsed', 'the terminal session ended', () => true);
  draft.emit({ type: 'driver.gone', pid: driver.pid, reason, actor: SYSTEM });
  if (driver.isLeaving === true && draft.state.run.phase === 'none') openRunOrJoinLine(draft, 'driver.gone');
  advance(draft, 'driver.gone');
}

/** Ends the other program that has the conversation open; the queue continues when it is gone. */
export function takeOver(draft: Draft, command: CommandOf<'session.takeover'>): Refusal | undefined {
  const { driver } = draft.state;
  if (driver === null) return { refused: 'conflict', message: 'No other program has this conversation open.' };
  requestTakeover(draft, command.commandId, driver.pid);
  return undefined;
}

export function requestTakeover(draft: Draft, commandId: CommandId, pid: number): void {
  draft.emit({ type: 'takeover.requested', commandId, pid });
  draft.effect({ type: 'take-over', pid });
}
