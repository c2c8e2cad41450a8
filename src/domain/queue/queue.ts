import type { CommandId, RunId } from '../../protocol/ids.ts';
import { NO_RUN } from '../permission/hook-request.ts';
import type { Input } from '../session/state.ts';

/** The message that was delivered to the agent and is not finished. */
export const inFlight = (queue: readonly Input[]): Input | undefined => queue.find((input) => input.stage.at !== 'accepted');

/** The next message to deliver, if none is in flight: one at a time, because agents merge messages that they get mid-turn. From a paused queue only one that was sent now. */
export function nextToDeliver(queue: readonly Input[], isPaused: boolean): Input | undefined {
  if (inFlight(queue) !== undefined) return undefined;
  return isPaused ? queue.find(({ mode }) => mode === 'steer') : queue[0];
}

/** Whether a message is queued that the agent does not have yet. */
export const hasWaiting = (queue: readonly Input[]): boolean => queue.some((input) => input.stage.at === 'accepted');

/** No waiting message joins a turn anymore: each waits for its place. */
export const hold = (queue: readonly Input[]): readonly Input[] =>
  queue.map((input) => (input.stage.at === 'accepted' ? { ...input, mode: 'queue' as const } : input));

export const find = (queue: readonly Input[], commandId: CommandId): Input | undefined => queue.find((input) => input.commandId === commandId);

export const without = (queue: readonly Input[], commandId: CommandId | null): readonly Input[] => queue.filter((input) => input.commandId !== commandId);

/** Delivered messages come before waiting ones. */
export function deliver(queue: readonly Input[], commandId: CommandId, run: RunId, at: string): readonly Input[] {
  const next = restage(queue, commandId, { at: 'delivered', run }).map((input) =>
    input.commandId === commandId && run === NO_RUN ? { ...input, leasedAt: at } : input,
  );
  return [...next.filter((input) => input.stage.at !== 'accepted'), ...next.filter((input) => input.stage.at === 'accepted')];
}

export function consume(queue: readonly Input[], commandId: CommandId): readonly Input[] {
  const stage = find(queue, commandId)?.stage;
  return stage?.at === 'delivered' ? restage(queue, commandId, { at: 'consumed', run: stage.run }) : queue;
}

/** Back to the head of the queue: it was sent first and has not run. */
export function requeue(queue: readonly Input[], commandId: CommandId): readonly Input[] {
  const found = find(queue, commandId);
  if (found === undefined) return queue;
  const { leasedAt: _, ...input } = found;
  return [{ ...input, mode: 'queue', stage: { at: 'accepted' } }, ...without(queue, commandId)];
}

export const edit = (queue: readonly Input[], commandId: CommandId, text: string, blob: Input['blob']): readonly Input[] =>
  queue.map((input) => (input.commandId === commandId ? { ...input, text, blob } : input));

/** It goes before all waiting messages. */
export function steer(queue: readonly Input[], commandId: CommandId): readonly Input[] {
  const input = find(queue, commandId);
  if (input === undefined) return queue;
  const rest = without(queue, commandId);
  const delivered = rest.filter((other) => other.stage.at !== 'accepted');
  return [...delivered, { ...input, mode: 'steer' }, ...rest.slice(delivered.length)];
}

/** Moves a waiting message before another one, or to the end. A message in flight stays first. */
export function move(queue: readonly Input[], commandId: CommandId, before: CommandId | undefined): readonly Input[] {
  const input = find(queue, commandId);
  if (input === undefined) return queue;
  const rest = without(queue, commandId);
  const at = rest.findIndex((other) => other.commandId === before);
  return at === -1 ? [...rest, input] : [...rest.slice(0, at), input, ...rest.slice(at)];
}

const restage = (queue: readonly Input[], commandId: CommandId, stage: Input['stage']): readonly Input[] =>
  queue.map((input) => (input.commandId === commandId ? { ...input, stage } : input));
