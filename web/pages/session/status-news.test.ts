import { expect, test } from 'vitest';
import { newsOf } from './status-news.ts';

const cases = [
  ['busy', 'waiting', 'It waits for you'],
  ['busy', 'idle', 'The turn has ended'],
  ['waiting', 'idle', 'The turn has ended'],
  ['busy', 'failed', 'It has failed'],
  ['busy', 'sleeping', 'The agent has ended'],
  ['idle', 'busy', ''],
  ['idle', 'sleeping', ''],
  ['waiting', 'busy', ''],
  [undefined, 'waiting', ''],
] as const;
for (const [before, now, words] of cases) {
  test(`from ${before ?? 'nothing'} to ${now} ${words === '' ? 'nothing' : `“${words}”`} is said`, () => expect(newsOf(before, now)).toBe(words));
}
