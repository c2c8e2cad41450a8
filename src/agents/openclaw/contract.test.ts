import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONTRACT, encodeOdd, ODD_TEXTS } from '../../../test/support/agents/contract.ts';
import type { Recording } from '../../../test/support/agents/replay.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import type { Observation } from '../../protocol/observation.ts';
import { openclaw } from './index.ts';

const FOLDER = join(import.meta.dirname, 'recordings');

const recordings: readonly Recording[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ndjson'))
  .sort()
  .map((file) => ({ name: file.slice(0, -'.ndjson'.length), lines: linesOf(readFileSync(join(FOLDER, file), 'utf8')) }));

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

for (const rule of CONTRACT) {
  test(`${rule.title}, in every recording`, () => {
    const broken = recordings.flatMap((recording) => rule.violations(openclaw, recording).map((what) => `${recording.name}: ${what}`));
    expect(broken).toEqual([]);
  });
}

for (const recording of recordings) {
  test(`${recording.name} is read as it was before`, async () => {
    await expect(printed(replay(openclaw, recording))).toMatchFileSnapshot(join(FOLDER, `${recording.name}.golden.json`));
  });
}

/** One observation a line, so that a change is one line of a diff. */
const printed = (observations: readonly Observation[]): string => `[\n${observations.map((observation) => JSON.stringify(observation)).join(',\n')}\n]\n`;

test('every line of every recording of the Gateway is recognised', () => {
  const strange = recordings.flatMap((recording) =>
    replay(openclaw, recording)
      .filter((observation) => observation.type === 'unrecognised')
      .map(({ reason }) => `${recording.name}: ${reason}`),
  );
  expect(strange).toEqual([]);
});

for (const text of ODD_TEXTS) {
  test(`the text ${JSON.stringify(text.slice(0, 40))} goes out as lines of JSON`, () => {
    for (const line of encodeOdd(openclaw, text)) {
      expect(line).not.toMatch(/[\n\r]/);
      expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\ud[89a-f]/);
    }
  });
}
