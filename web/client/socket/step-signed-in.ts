import type { You } from '../../../src/protocol/frame.ts';
import { inOrder, type OutboxEntry } from '../storage/outbox.ts';
import { authorOf, byCommand, type Effect, type Link, type Step } from './link.ts';

/** The server said who we are: what that person left goes out, what others left is held back until they come again. */
export function seat(link: Link, you: You): Step {
  if (link.you?.id === you.id) return { link: { ...link, you }, effects: [] };
  const author = authorOf(link);
  const made = [...link.unacknowledged.values()];
  // A browser that never knew anybody: what this page made is of the first who is known.
  const adopted = author === undefined ? made.map((entry) => ({ ...entry, by: you.id })) : [];
  const all = inOrder([...link.heldBack.values(), ...(author === undefined ? adopted : made)]);
  const mine = all.filter(({ by }) => by === you.id);
  const others = all.filter(({ by }) => by !== undefined && by !== you.id);
  const next = { ...link, you, lastKnown: you.id, unacknowledged: byCommand(mine), heldBack: byCommand(others) };
  return {
    link: next,
    effects: [{ kind: 'seated', you, ...(author !== undefined && { author }) }, ...adopted.map(keep), ...all.filter(isNobodys).map(disown)],
  };
}

const isNobodys = ({ by }: OutboxEntry): boolean => by === undefined;
const keep = (entry: OutboxEntry): Effect => ({ kind: 'keep', entry });
const disown = (entry: OutboxEntry): Effect => ({ kind: 'disowned', entry });
