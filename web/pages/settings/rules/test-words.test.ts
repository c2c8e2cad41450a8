import { expect, test } from 'vitest';
import { RuleTest } from '../../../../src/protocol/rule.ts';
import { testWords } from './test-words.ts';

const past = RuleTest.parse({
  calls: 530,
  matched: 412,
  asked: 60,
  matchedAsked: 37,
  notUnderstood: 2,
  examples: [{ sessionId: 's', seq: 3, at: '2026-01-01T00:00:00.000Z', tool: 'Shell', words: 'rm -rf x', isRisky: true }],
});

test('a trial says how much of the past a rule would have decided, and what to look at', () => {
  expect(testWords('allow', past)).toBe(
    'It would have allowed 412 of 530 past calls, 37 of the 60 that were asked about, among them 1 to look at twice. 2 calls could not be understood wholly; no rule allows such.',
  );
  expect(testWords('deny', { ...past, examples: [], asked: 0 })).toBe('It would have denied 412 of 530 past calls.');
});

test('without a past a trial says so', () => {
  expect(testWords('allow', { ...past, calls: 0 })).toBe('There are no past calls to try it on yet.');
});
