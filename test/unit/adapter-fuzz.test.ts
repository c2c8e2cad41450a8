import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AcpAgentConfig } from '../../src/agents/acp/agent-config.ts';
import { acpAgent } from '../../src/agents/acp/index.ts';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { codex } from '../../src/agents/codex/index.ts';
import { openclaw } from '../../src/agents/openclaw/index.ts';
import { pi } from '../../src/agents/pi/index.ts';
import type { Adapter } from '../../src/agents/port/adapter.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import { OBSERVATIONS } from '../../src/protocol/observation-manifest.ts';
import { recordingsIn } from '../support/agent-contract.ts';
import { recordedLines } from '../support/agents/acp-recordings.ts';
import { mutateLine } from '../support/agents/mutate-line.ts';
import type { Recording } from '../support/agents/replay.ts';
import { proofCount } from '../support/proof-length.ts';
import { seeded } from '../support/seeded.ts';

const SEED = 20261118;
/** Of each adapter; the long form has a million of all together. */
const MUTANTS = proofCount(700);
/** A mutant may hang nobody: far more than any line takes on a busy machine. */
const LIMIT_MS = 2000;
/** Enough that the mutants say something about the readers, and not only about JSON. */
const STILL_READ = 0.3;
const FOLLOWING_LINES = 2;

const folderOf = (agent: string) => join(import.meta.dirname, '../../src/agents', agent, 'recordings');
const SUITES: readonly (readonly [Adapter, readonly Recording[]])[] = [
  [claudeCode, recordingsIn(folderOf('claude-code'))],
  [codex, recordingsIn(folderOf('codex'))],
  [pi, recordingsIn(folderOf('pi'))],
  [openclaw, recordingsIn(folderOf('openclaw'))],
  [acpAgent('acp:any', z.parse(AcpAgentConfig, { title: 'Any agent', command: 'any' })), recordingsIn(folderOf('acp'), recordedLines)],
];

for (const [adapter, recordings] of SUITES) {
  test(`[R403] ${MUTANTS} changed lines of ${adapter.title} crash nothing, hang nothing, and lose no text that the change left alone`, {
    timeout: 600_000,
  }, () => {
    const random = seeded(SEED);
    const found: string[] = [];
    let read = 0;
    for (let mutants = 0; mutants < MUTANTS; ) {
      const recording = recordings[Math.floor(random() * recordings.length)];
      if (recording === undefined) continue;
      let state = adapter.initial();
      // One pass over a recording, with a mutant now and then, so that every mutant meets the state it would meet.
      for (const [index, line] of recording.lines.entries()) {
        if (mutants < MUTANTS && random() < 0.25) {
          mutants += 1;
          const outcome = tryMutant(adapter, state, recording.lines, index, random);
          read += outcome.isRead ? 1 : 0;
          if (outcome.problem !== undefined) found.push(`seed ${SEED}, ${recording.name} line ${index + 1}: ${outcome.problem}`);
        }
        state = adapter.translate(state, line).state;
      }
    }
    expect(found.slice(0, 10)).toEqual([]);
    expect(read / MUTANTS).toBeGreaterThanOrEqual(STILL_READ);
  });
}

interface Outcome {
  readonly isRead: boolean;
  readonly problem?: string;
}

function tryMutant(adapter: Adapter, state: unknown, lines: readonly string[], index: number, random: () => number): Outcome {
  const line = lines[index] ?? '';
  const mutant = mutateLine(random, line, lines);
  const started = performance.now();
  try {
    const step = adapter.translate(state, mutant.line);
    const isRead = !step.observations.some(({ type }) => type === 'unrecognised');
    let after = step.state;
    const later = lines.slice(index + 1, index + 1 + FOLLOWING_LINES).flatMap((next) => {
      const following = adapter.translate(after, next);
      after = following.state;
      return following.observations;
    });
    const invalid = [...step.observations, ...later].find((one) => !isValid(one));
    if (invalid !== undefined) return { isRead, problem: `${mutant.how}: an invalid ${JSON.stringify(invalid).slice(0, 200)}` };
    const lost =
      isRead && !ROUTING.test(mutant.how)
        ? lostText(adapter.translate(state, line).observations, line, mutant.line, () => JSON.stringify([step.observations, step.state]))
        : undefined;
    if (lost !== undefined) return { isRead, problem: `${mutant.how}: lost ${JSON.stringify(lost.slice(0, 80))} of ${mutant.line.slice(0, 200)}` };
    const took = performance.now() - started;
    return took > LIMIT_MS ? { isRead, problem: `${mutant.how}: took ${Math.round(took)} ms` } : { isRead };
  } catch (error) {
    return { isRead: false, problem: `${mutant.how}: threw ${String(error)} at ${mutant.line.slice(0, 200)}` };
  }
}

const isValid = (one: Observation): boolean => {
  const result = OBSERVATIONS.find(({ type }) => type === one.type)?.schema['~standard'].validate(one);
  return result !== undefined && !('then' in result) && result.issues === undefined;
};

/** Fields that say what a line is about: with another value it is about something else, and may rightly be ignored. */
const ROUTING = /(?:[Ii]d|uuid|Key|status|state|phase|kind|stream|event|method|role|type|subtype|sessionUpdate|for)$/;

/** What people read. */
const TEXTS = ['text', 'output', 'result', 'errors'] as const;

/** A text that people would have read in the original, that the change left alone, and that nobody gets to read now. */
function lostText(original: readonly Observation[], line: string, mutant: string, now: () => string): string | undefined {
  // Text in progress is only a preview of what comes later, and an echo of our own input is ours anyway.
  const read = original.filter(({ type }) => type !== 'delta' && type !== 'input.taken');
  const shown = read.flatMap((one) => TEXTS.flatMap((name) => (name in one ? [(one as Record<string, unknown>)[name]].flat() : [])));
  const texts = shown.filter((text): text is string => typeof text === 'string' && text.trim().length >= 8).map(bare);
  const kept = texts.filter((text) => count(line, text) > 0 && count(mutant, text) >= count(line, text));
  return kept.length === 0 ? undefined : kept.find((text) => !bare(now()).includes(text));
}

/** Without escapes: an unknown block is shown as JSON, and so escaped once more. */
const bare = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\+[nt"]?/g, '');
const count = (line: string, text: string): number => bare(line).split(text).length - 1;
