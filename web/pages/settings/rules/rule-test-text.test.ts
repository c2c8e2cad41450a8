import { expect, test } from 'vitest';
import { RuleTest } from '../../../../src/protocol/rule.ts';
import { ruleTestText } from './rule-test-text.ts';

const past = RuleTest.parse({
  calls: 530,
  matched: 412,
  asked: 60,
  matchedAsked: 37,
  notUnderstood: 2,
  examples: [{ sessionId: 's', seq: 3, at: '2026-01-01T00:00:00.000Z', tool: 'Shell', words: 'rm -rf x', isRisky: true }],
});

test('a test says how many past calls a rule would have decided, and how many are risky', () => {
  expect(ruleTestText('allow', past)).toBe(
    'Would have allowed 412 of 530 past calls, 37 of the 60 you were asked about, including 1 risky. 2 calls could not be fully parsed; no rule allows those.',
  );
  expect(ruleTestText('deny', { ...past, examples: [], asked: 0 })).toBe('Would have denied 412 of 530 past calls.');
});

test('without past calls a test says so', () => {
  expect(ruleTestText('allow', { ...past, calls: 0 })).toBe('No past calls to test it on yet.');
});
