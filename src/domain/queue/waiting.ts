import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { advance, deliverNext, deliverNow, waitsForReset } from '../session/advance.ts';
import type { PreparedMessage } from '../session/commands.ts';
import type { Draft } from '../session/draft.ts';
import type { Input } from '../session/state.ts';
import { leaveLine } from './line.ts';
import * as queue from './queue.ts';

/** What can still be done with a queued message. Once the agent has it, the agent can only be interrupted. */
export function edit(draft: Draft, command: CommandOf<'input.edit'>, message: PreparedMessage | undefined): Refusal | undefined {
  const found = waiting(draft, command.target);
  if ('refused' in found) return found;
  if (message === undefined) return { refused: 'bad-request', message: 'The message is empty. If it should not be sent, cancel it.' };
  draft.emit({ type: 'input.edited', commandId: command.target, text: message.text, ...(message.blob !== undefined && { blobs: { text: message.blob } }) });
  return undefined;
}

export function move(draft: Draft, command: CommandOf<'input.move'>): Refusal | undefined {
  const found = waiting(draft, command.target);
  if ('refused' in found) return found;
  const { before } = command;
  if (before === command.target) return undefined;
  const place = before === undefined ? undefined : waiting(draft, before);
  if (place !== undefined && 'refused' in place) return place;
  draft.emit({ type: 'input.moved', commandId: command.target, ...(before !== undefined && { before }) });
  return undefined;
}

export function cancel(draft: Draft, command: CommandOf<'input.cancel'>): Refusal | undefined {
  const found = waiting(draft, command.target);
  if ('refused' in found) return found;
  draft.emit({ type: 'input.cancelled', commandId: command.target, reason: 'cancelled by a person' });
  if (draft.state.queue.length === 0) leaveLine(draft, 'input.cancelled');
  return undefined;
}

/** Lets a queued message join the running turn; without a running turn it is simply next in line. */
export function steer(draft: Draft, command: CommandOf<'input.steer'>): Refusal | undefined {
  const found = waiting(draft, command.target);
  if ('refused' in found) return found;
  const refusal = cannotSteer(draft);
  if (refusal !== undefined) return refusal;
  draft.emit({ type: 'input.steered', commandId: command.target });
  deliverSteered(draft, command.target);
  advance(draft, 'input.send');
  return undefined;
}

export function cannotSteer(draft: Draft): Refusal | undefined {
  // Without a running turn, a message that is sent now is simply the next one.
  const isHeld = draft.state.paused !== undefined || waitsForReset(draft.state);
  if (draft.now.can.steer || (isHeld && draft.state.turn.phase === 'idle')) return undefined;
  return { refused: 'not-supported', message: 'This agent cannot take messages mid-turn. Leave it in the queue, or interrupt the agent first.' };
}

/** A steering message goes to the agent at once, even if another one is in flight. */
export function deliverSteered(draft: Draft, commandId: CommandId): void {
  if (draft.state.turn.phase === 'running' && draft.state.run.phase === 'ready' && draft.now.hasDiskSpace) deliverNow(draft, commandId);
  else deliverNext(draft);
}

function waiting(draft: Draft, target: CommandId): Input | Refusal {
  const input = queue.find(draft.state.queue, target);
  if (input === undefined) return { refused: 'not-found', message: 'This message is no longer queued.' };
  if (input.stage.at !== 'accepted') return { refused: 'conflict', message: 'The agent already has this message. Interrupt it instead.' };
  return input;
}
