import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { ItemId } from '../../protocol/ids.ts';
import { NO_RUN } from '../permission/hook-request.ts';
import { advance } from '../session/advance.ts';
import type { Draft } from '../session/draft.ts';
import type { Input, SessionState } from '../session/state.ts';
import { find, nextToDeliver } from './queue.ts';

/** How long a message is lent: whoever has it reports within this time that it has arrived, or it is offered again. */
export const LEASE_MS = 30_000;

export const isLent = (input: Input | undefined): input is Input => input?.stage.at === 'delivered' && input.stage.run === NO_RUN;

export const lentIn = ({ queue }: SessionState): Input | undefined => queue.find(isLent);

/** Why nobody can poll for messages here. */
export const refusedToPoll = ({ run }: SessionState): Refusal | undefined =>
  run.phase === 'none' ? undefined : { refused: 'driven-elsewhere', message: 'Signalbox itself runs the agent of this session, so it delivers the messages.' };

/** The message that somebody who polls now would get. */
export const nextToLend = (state: SessionState): Input | undefined => nextToDeliver(state.queue, state.paused !== undefined);

/** One message at a time, in order; nothing else about the queue changes. */
export function lease(draft: Draft): Refusal | undefined {
  const refusal = refusedToPoll(draft.state);
  if (refusal !== undefined) return refusal;
  const next = nextToLend(draft.state);
  if (next === undefined) return { refused: 'conflict', message: 'No message is waiting.' };
  draft.emit({ type: 'input.delivered', commandId: next.commandId, run: NO_RUN });
  return undefined;
}

/** Reported twice, or too late, it changes nothing. */
export function acknowledge(draft: Draft, { target }: CommandOf<'input.acknowledge'>): Refusal | undefined {
  const input = find(draft.state.queue, target);
  if (isLent(input)) arrived(draft, input);
  return undefined;
}

/** The agent in the terminal has it: from here on it is part of the conversation. */
export function arrived(draft: Draft, { commandId, text, images, context, blob, isFromAgent }: Input): void {
  draft.emit({ type: 'input.consumed', commandId });
  draft.emit({
    type: 'user.message',
    origin: isFromAgent === true ? 'agent' : 'person',
    commandId,
    text,
    itemId: draft.now.inputId(commandId) as ItemId,
    ...(images.length > 0 && { images: [...images] }),
    ...(context.length > 0 && { context: [...context] }),
    ...(blob !== null && { blobs: { text: blob } }),
  });
  advance(draft, 'input.consumed');
}

/** Nobody reported that it arrived, and the agent's own record does not have it: it is offered again, first. */
export function takeBack(draft: Draft, { commandId, leasedAt }: Input): void {
  const input = find(draft.state.queue, commandId);
  if (!isLent(input) || input.leasedAt !== leasedAt) return;
  draft.emit({ type: 'input.returned', commandId, reason: 'the program that got it did not confirm it' });
  advance(draft, 'input.returned');
}
