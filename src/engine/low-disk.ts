import { SYSTEM } from '../protocol/actor.ts';
import type { CommandId } from '../protocol/ids.ts';
import { SEND_MESSAGES, sendPending } from './loop/effects.ts';
import type { EngineContext } from './loop/engine-context.ts';

/** When the disk is nearly full, nothing new starts and running turns are interrupted, while there is still space to record that. */
export function diskChanged(context: EngineContext, low: boolean): void {
  if (context.diskLow === low) return;
  context.diskLow = low;
  const text = low
    ? 'The disk is nearly full. Agents were interrupted, and messages are refused until there is free space. Nothing was lost.'
    : 'The disk has free space again.';
  context.subscribers.publishToAll({ kind: 'notice', level: low ? 'error' : 'info', code: 'disk', text });
  for (const session of context.sessions.values()) {
    const { run } = session;
    if (low) interrupt(context, session.state.id);
    else if (run !== undefined) session.retryUntilDone(SEND_MESSAGES, () => sendPending(session, run));
    if (!low) session.advance('there is space on the disk again');
  }
}

function interrupt(context: EngineContext, sessionId: Parameters<EngineContext['sessions']['get']>[0]): void {
  const session = context.sessions.get(sessionId);
  const commandId = `disk:${context.deps.newId()}` as CommandId;
  session?.command({ command: { type: 'turn.interrupt', commandId, sessionId }, node: context.deps.machine.node }, SYSTEM, '');
}
