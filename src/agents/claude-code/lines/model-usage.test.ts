import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../../test/support/agents/replay.ts';
import { claudeCode } from '../index.ts';
import { spentByModel } from './model-usage.ts';
import type { ModelUsage, Result } from './wire.ts';

const sum = (tokens: number, costUSD: number): ModelUsage[string] => ({ inputTokens: tokens, outputTokens: 0, costUSD });
const result = (part: Partial<Result>): Result => ({ type: 'result', subtype: 'success', is_error: false, ...part });
const spent = (model: string, tokens: number, costUsd: number) => ({
  model,
  usage: { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd,
});

test("totals of a process become each turn's usage per model", () => {
  const before = [spent('big', 100, 0.5)];
  expect(spentByModel(result({ modelUsage: { big: sum(150, 0.7), small: sum(10, 0.01) } }), before)).toEqual([spent('big', 50, 0.2), spent('small', 10, 0.01)]);
});

test('a model that did nothing in the turn is not listed', () => {
  expect(spentByModel(result({ modelUsage: { big: sum(100, 0.5) } }), [spent('big', 100, 0.5)])).toEqual([]);
});

test('the same model with two windows is one model', () => {
  expect(spentByModel(result({ modelUsage: { big: sum(100, 0.5), 'big[1m]': sum(1, 0.1) } }), [])).toEqual([spent('big', 101, 0.6)]);
});

test('a difference from the CLI is used as it is; a total that went down started again from zero', () => {
  const observed = result({ modelUsage: { big: sum(900, 9) }, model_usage_since_last_result: { big: sum(5, 0.1) } });
  expect(spentByModel(observed, [])).toEqual([spent('big', 5, 0.1)]);
  expect(spentByModel(result({ modelUsage: { big: sum(7, 0.2) } }), [spent('big', 100, 0.5)])).toEqual([spent('big', 7, 0.2)]);
});

test('in every recording, the costs of all turns add up to what the CLI reports at the end, to a billionth', () => {
  const wrong = readRecordings().flatMap((recording) => {
    const turns = replay(claudeCode, recording).filter((observed) => observed.type === 'turn.ended');
    const byModel = turns.flatMap((turn) => turn.models ?? []).reduce((cost, { costUsd = 0 }) => cost + costUsd, 0);
    const byTurn = turns.reduce((cost, { costUsd = 0 }) => cost + costUsd, 0);
    return Math.abs(byModel - byTurn) < 1e-9 ? [] : [`${recording.name}: ${byModel} and ${byTurn}`];
  });
  expect(wrong).toEqual([]);
});
