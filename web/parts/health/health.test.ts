import { expect, test } from 'vitest';
import type { HealthBrief } from '../../../src/protocol/session.ts';
import { briefText, tokensOfWindowText } from './health-text.ts';
import { sparkOf } from './spark.ts';

const brief: HealthBrief = { pressure: 'none', peakTokens: 0, compactions: 0, findings: [], line: [] };

test('a line runs from the first to the last value; full height is a full window', () => {
  expect(sparkOf([0, 100, 200], 200, 60, 10)).toEqual({ points: '0,10 30,5 60,0', drops: [] });
});

test('a compaction is where the line drops', () => {
  expect(sparkOf([50, -100, 25], 100, 60, 10)).toEqual({ points: '0,5 30,0 60,7.5', drops: [30] });
});

test('one value is a level line, none is no line', () => {
  expect(sparkOf([50], 100, 60, 10).points).toBe('0,5 60,5');
  expect(sparkOf([], 100, 60, 10)).toEqual({ points: '', drops: [] });
});

test('without a window a small context looks small, and values above the window stay inside the bounds', () => {
  expect(sparkOf([20_000, 20_000], undefined, 60, 10).points).toBe('0,9 60,9');
  expect(sparkOf([300, 150], 200, 60, 10).points).toBe('0,0 60,5');
});

test('the health shown in a list also has a text', () => {
  expect(briefText(brief)).toBe('');
  expect(briefText({ ...brief, pressure: 'high', now: 90_000, peakTokens: 160_000, windowTokens: 200_000, compactions: 2, findings: ['loop'] })).toBe(
    'Context: nearly full: the agent may soon forget; 90k of 200k tokens (45 %) used; peak 160k; 2 compactions; repeating a failing call',
  );
  expect(briefText({ ...brief, cause: 'killed' })).toBe('crashed mid-turn');
  expect(tokensOfWindowText(90_000, undefined)).toBe('90k tokens');
});
