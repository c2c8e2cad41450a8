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
  test(`a change from ${before ?? 'unknown'} to ${now} announces ${words === '' ? 'nothing' : `“${words}”`}`, () =>
    expect(statusAnnouncement(before, now)).toBe(words));
}
