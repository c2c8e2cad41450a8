import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/agents/claude-recordings.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import { claudeCode } from './index.ts';
import { window } from './windows.ts';

const models = [
  ['claude-haiku-4-5-20251001', 200_000],
  ['claude-opus-4-8[1m]', 1_000_000],
  ['claude-opus-4-8', undefined],
  ['something-else', undefined],
] as const;
for (const [model, tokens] of models) test(`the window of ${model} is ${tokens ?? 'not guessed'}`, () => expect(window(model)).toBe(tokens));

test('what is said of a window is what the CLI itself said of it, in every recording', () => {
  const pairs = readRecordings().flatMap((recording) => {
    let model = '';
    return replay(claudeCode, recording).flatMap((told) => {
      if (told.type === 'session.started' || told.type === 'model.changed') model = told.model ?? model;
      return told.type === 'turn.ended' ? [[window(model), told.contextWindow]] : [];
    });
  });
  const known = pairs.filter(([said, told]) => said !== undefined && told !== undefined);
  expect(known.length).toBeGreaterThan(50);
  expect(known.filter(([said, told]) => said !== told)).toEqual([]);
});
