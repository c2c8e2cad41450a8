import { expect, test } from 'vitest';
import type { HealthBrief } from '../../../src/protocol/session.ts';
import { briefText, fullText } from './health-words.ts';
import { sparkOf } from './spark.ts';

const brief: HealthBrief = { pressure: 'none', peakTokens: 0, compactions: 0, findings: [], line: [] };

test('a line runs from the first to the last figure, full height being a full window', () => {
  expect(sparkOf([0, 100, 200], 200, 60, 10)).toEqual({ points: '0,10 30,5 60,0', drops: [] });
});

test('a compaction is where the line drops', () => {
  expect(sparkOf([50, -100, 25], 100, 60, 10)).toEqual({ points: '0,5 30,0 60,7.5', drops: [30] });
});

test('one figure is a level line, none is no line', () => {
  expect(sparkOf([50], 100, 60, 10).points).toBe('0,5 60,5');
  expect(sparkOf([], 100, 60, 10)).toEqual({ points: '', drops: [] });
});

test('without a window a small context looks small, and what is larger than the window stays inside the box', () => {
  expect(sparkOf([20_000, 20_000], undefined, 60, 10).points).toBe('0,9 60,9');
  expect(sparkOf([300, 150], 200, 60, 10).points).toBe('0,0 60,5');
});

test('what a list shows is said in words', () => {
  expect(briefText(brief)).toBe('');
  expect(briefText({ ...brief, pressure: 'high', now: 90_000, peakTokens: 160_000, windowTokens: 200_000, compactions: 2, findings: ['loop'] })).toBe(
    'Context: tight: it may soon forget; now 90k of 200k tokens (45 %); at most 160k of 200k tokens (80 %); 2 compactions; repeats a failing call',
  );
  expect(briefText({ ...brief, cause: 'killed' })).toBe('cut off in the middle of its work');
  expect(fullText(90_000, undefined)).toBe('90k tokens');
});
