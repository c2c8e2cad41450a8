import { expect, test } from 'vitest';
import { statusAnnouncement } from './status-announcement.ts';

const cases = [
  ['busy', 'waiting', 'Needs you'],
  ['busy', 'idle', 'Turn finished'],
  ['waiting', 'idle', 'Turn finished'],
  ['busy', 'failed', 'The agent failed'],
  ['busy', 'sleeping', 'The agent stopped'],
  ['idle', 'busy', ''],
  ['idle', 'sleeping', ''],
  ['waiting', 'busy', ''],
  [undefined, 'waiting', ''],
] as const;
for (const [before, now, words] of cases) {
  test(`from ${before ?? 'nothing'} to ${now} ${words === '' ? 'nothing' : `“${words}”`} is announced`, () =>
    expect(statusAnnouncement(before, now)).toBe(words));
}
