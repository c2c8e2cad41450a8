import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { foldHealth } from '../../src/domain/health/fold.ts';
import { healthAt } from '../../src/domain/health/health.ts';
import { HEALTHY } from '../../src/domain/health/state.ts';
import type { Decidable } from '../../src/domain/session/observations.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { Observation } from '../../src/protocol/observation.ts';
import { readRecordings } from '../support/agents/claude-recordings.ts';
import { type Recording, replay } from '../support/agents/replay.ts';
import { SessionScenario } from '../support/domain/session-scenario.ts';

const AT = '2026-01-01T00:00:00.000Z';

test('every recorded session in which something went wrong is judged as it was, and no other one is', async () => {
  const judged = readRecordings().map((recording) => ({ name: recording.name, told: observationsOf(recording) }));
  expect(judged.length).toBeGreaterThan(100);
  const lines = judged.filter(({ told }) => isWrong(told)).map(({ name, told }) => `${name}: ${JSON.stringify(told)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/health.txt'));
});

const isWrong = ({ pressure, cause, findings }: ReturnType<typeof observationsOf>): boolean =>
  pressure !== 'none' || cause !== undefined || findings.length > 0;

/** All but where and when, which other changes may shift. */
function observationsOf(recording: Recording) {
  const {
    timeline,
    compactions,
    findings,
    seq: _seq,
    causeSeq: _causeSeq,
    compactCommand: _command,
    ...rest
  } = healthAt(eventsOf(recording).reduce(foldHealth, HEALTHY), AT);
  return {
    ...rest,
    compactions: compactions.map(({ trigger, preTokens, postTokens }) => `${trigger} ${preTokens} ${postTokens}`),
    findings: findings.map(({ kind, active, count }) => `${kind}${active ? '' : ' (over)'} ${count ?? ''}`.trim()),
    points: timeline.length,
  };
}

/** As the journal would have it, had the agent said all this to a message of a person. */
function eventsOf(recording: Recording): readonly Event[] {
  const story = new SessionScenario().create('go');
  for (const observation of replay(claudeCode, recording)) if (isKept(observation)) story.says(observation);
  return story.events.map((body, index) => ({ ...body, seq: index + 1, at: AT }) as Event);
}

const isKept = (observation: Observation): observation is Decidable => observation.type !== 'delta' && observation.type !== 'delta.dropped';
