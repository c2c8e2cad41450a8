import type { Status } from '../../../src/protocol/session.ts';

const WORKS: ReadonlySet<Status | undefined> = new Set(['starting', 'busy', 'waiting']);

/** What a change of state means to a person, when it means anything. */
export function newsOf(before: Status | undefined, now: Status | undefined): string {
  if (before === undefined || now === undefined) return '';
  if (now === 'waiting') return 'It waits for you';
  if (now === 'failed') return 'It has failed';
  if (!WORKS.has(before)) return '';
  if (now === 'idle') return 'The turn has ended';
  return now === 'sleeping' || now === 'ended' ? 'The agent has ended' : '';
}
