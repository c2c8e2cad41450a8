import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../../test/support/agents/replay.ts';
import { claudeCode } from '../index.ts';
import { window } from './context-windows.ts';

const models = [
  ['claude-haiku-4-5-20251001', 200_000],
  ['claude-opus-4-8[1m]', 1_000_000],
  ['claude-opus-4-8', undefined],
  ['something-else', undefined],
] as const;
for (const [model, tokens] of models) test(`the window of ${model} is ${tokens ?? 'not guessed'}`, () => expect(window(model)).toBe(tokens));

test('our window sizes match what the CLI reports in every recording', () => {
  const pairs = readRecordings().flatMap((recording) => {
    let model = '';
    return replay(claudeCode, recording).flatMap((observed) => {
      if (observed.type === 'session.started' || observed.type === 'model.changed') model = observed.model ?? model;
      return observed.type === 'turn.ended' ? [[window(model), observed.contextWindow]] : [];
    });
  });
  const known = pairs.filter(([ours, observed]) => ours !== undefined && observed !== undefined);
  expect(known.length).toBeGreaterThan(50);
  expect(known.filter(([ours, observed]) => ours !== observed)).toEqual([]);
});
