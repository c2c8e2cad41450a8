import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Adapter } from '../../src/agents/port/adapter.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import { CONTRACT, encodeOdd, ODD_TEXTS } from './agents/contract.ts';
import type { Recording } from './agents/replay.ts';
import { replay } from './agents/replay.ts';

interface Suite {
  readonly adapter: Adapter;
  readonly recordings: readonly Recording[];
  /** Where the golden files are. */
  readonly folder: string;
  /** Reasons of the lines that are expected not to be recognized. */
  readonly unrecognized: { readonly because: string; readonly reasons: readonly string[] };
}

/** Checks that every adapter must pass with its recordings. */
export function testContract({ adapter, recordings, folder, unrecognized }: Suite): void {
  for (const rule of CONTRACT) {
    test(`${rule.title}, in every recording`, () => {
      const broken = recordings.flatMap((recording) => rule.violations(adapter, recording).map((what) => `${recording.name}: ${what}`));
      expect(broken).toEqual([]);
    });
  }
  for (const recording of recordings) {
    test(`${recording.name} still gives the same observations`, async () => {
      await expect(printed(replay(adapter, recording))).toMatchFileSnapshot(join(folder, `${recording.name}.golden.json`));
    });
  }
  test(`every line of every recording is recognized${unrecognized.because}`, () => {
    const unexpected = recordings.flatMap((recording) =>
      replay(adapter, recording).flatMap((one) => (one.type === 'unrecognised' ? [`${recording.name}: ${one.reason}`] : [])),
    );
    expect(unexpected).toEqual(unrecognized.reasons);
  });
  for (const text of ODD_TEXTS) {
    test(`the text ${JSON.stringify(text.slice(0, 40))} is sent as lines of JSON`, () => {
      for (const line of encodeOdd(adapter, text)) {
        expect(line).not.toMatch(/[\n\r]/);
        expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\ud[89a-f]/);
      }
    });
  }
}

/** One observation per line, so that a change is one line of a diff. */
const printed = (observations: readonly Observation[]): string => `[\n${observations.map((observation) => JSON.stringify(observation)).join(',\n')}\n]\n`;

/** The recordings in a folder. `linesOf` picks the agent's output from the text of one. */
export const recordingsIn = (folder: string, linesOf = wholeLines): readonly Recording[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ndjson'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.ndjson'.length), lines: linesOf(readFileSync(join(folder, file), 'utf8')) }));

const wholeLines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
