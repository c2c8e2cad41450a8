import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CONTRACT, encodeOdd, ODD_TEXTS } from '../../../test/support/agents/contract.ts';
import type { Recording } from '../../../test/support/agents/replay.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import type { Observation } from '../../protocol/observation.ts';
import { AcpAgent } from './configured.ts';
import { acpAgent } from './index.ts';
import { playedLines } from './played.ts';

const agent = acpAgent('acp:any', z.parse(AcpAgent, { title: 'Any agent', command: 'any' }));
const FOLDER = join(import.meta.dirname, 'recordings');

const recordings: readonly Recording[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ndjson'))
  .sort()
  .map((file) => ({ name: file.slice(0, -'.ndjson'.length), lines: playedLines(readFileSync(join(FOLDER, file), 'utf8')) }));

for (const rule of CONTRACT) {
  test(`${rule.title}, in every recording`, () => {
    const broken = recordings.flatMap((recording) => rule.violations(agent, recording).map((what) => `${recording.name}: ${what}`));
    expect(broken).toEqual([]);
  });
}

for (const recording of recordings) {
  test(`${recording.name} is read as it was before`, async () => {
    await expect(printed(replay(agent, recording))).toMatchFileSnapshot(join(FOLDER, `${recording.name}.golden.json`));
  });
}

/** One observation a line, so that a change is one line of a diff. */
const printed = (observations: readonly Observation[]): string => `[\n${observations.map((observation) => JSON.stringify(observation)).join(',\n')}\n]\n`;

test('every line of every recording is recognised but the answers to requests that we do not make', () => {
  const strange = recordings.flatMap((recording) =>
    replay(agent, recording)
      .filter((observation) => observation.type === 'unrecognised')
      .map(({ reason }) => reason),
  );
  expect([...new Set(strange)]).toEqual(['an answer in a shape not seen before']);
});

for (const text of ODD_TEXTS) {
  test(`the text ${JSON.stringify(text.slice(0, 40))} goes out as lines of JSON`, () => {
    for (const line of encodeOdd(agent, text)) {
      expect(line).not.toMatch(/[\n\r]/);
      expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\ud[89a-f]/);
    }
  });
}
