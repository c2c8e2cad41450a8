import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/agents/claude-recordings.ts';
import { CONTRACT, encodeOdd, ODD_TEXTS } from '../../../test/support/agents/contract.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import type { Observation } from '../../protocol/observation.ts';
import { claudeCode } from './index.ts';

const recordings = readRecordings();

for (const rule of CONTRACT) {
  test(`${rule.title}, in every recording`, () => {
    const broken = recordings.flatMap((recording) => rule.violations(claudeCode, recording).map((what) => `${recording.name}: ${what}`));
    expect(broken).toEqual([]);
  });
}

for (const recording of recordings) {
  test(`${recording.name} is read as it was before`, async () => {
    const golden = join(import.meta.dirname, 'recordings', `${recording.name}.golden.json`);
    await expect(printed(replay(claudeCode, recording))).toMatchFileSnapshot(golden);
  });
}

/** One observation a line, so that a change is one line of a diff. */
const printed = (observations: readonly Observation[]): string => `[\n${observations.map((observation) => JSON.stringify(observation)).join(',\n')}\n]\n`;

test('every line of every recording is recognised but those of features that we do not use', () => {
  const strange = recordings.flatMap((recording) =>
    replay(claudeCode, recording)
      .filter((observation) => observation.type === 'unrecognised')
      .map(({ reason }) => `${recording.name}: ${reason}`),
  );
  // Signalbox registers no hook callbacks; the client of that recording did.
  expect(strange).toEqual(Array(3).fill('2.1.197-control-hooks-callback: a request of kind hook_callback, which was refused'));
});

for (const text of ODD_TEXTS) {
  test(`the text ${JSON.stringify(text.slice(0, 40))} goes out as one line of JSON each time`, () => {
    for (const line of encodeOdd(claudeCode, text)) {
      expect(line).not.toMatch(/[\n\r]/);
      expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\ud[89a-f]/);
    }
  });
}
