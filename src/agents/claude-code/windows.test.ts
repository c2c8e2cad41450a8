import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/claude-recordings.ts';
import { replay } from '../replay.ts';
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
    const told = replay(claudeCode, recording);
    const said = window(told.find((one) => one.type === 'session.started')?.model ?? '');
    return told.flatMap((one) => (one.type === 'turn.ended' && one.contextWindow !== undefined && said !== undefined ? [[said, one.contextWindow]] : []));
  });
  expect(pairs.length).toBeGreaterThan(50);
  expect(pairs.filter(([said, told]) => said !== told)).toEqual([]);
});
