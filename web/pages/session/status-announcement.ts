import type { Status } from '../../../src/protocol/session.ts';

const ACTIVE: ReadonlySet<Status | undefined> = new Set(['starting', 'busy', 'waiting']);

/** What a status change means to a person; empty if nothing. */
export function statusAnnouncement(before: Status | undefined, now: Status | undefined): string {
  if (before === undefined || now === undefined) return '';
  if (now === 'waiting') return 'Needs you';
  if (now === 'failed') return 'The agent failed';
  if (!ACTIVE.has(before)) return '';
  if (now === 'idle') return 'Turn finished';
  return now === 'sleeping' || now === 'ended' ? 'The agent stopped' : '';
}
