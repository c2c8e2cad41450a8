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

test('the health of every recorded session with problems is unchanged, and no other session has problems', async () => {
  const judged = readRecordings().map((recording) => ({ name: recording.name, health: healthOf(recording) }));
  expect(judged.length).toBeGreaterThan(100);
  const lines = judged.filter(({ health }) => isWrong(health)).map(({ name, health }) => `${name}: ${JSON.stringify(health)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/health.txt'));
});

const isWrong = ({ pressure, cause, findings }: ReturnType<typeof healthOf>): boolean => pressure !== 'none' || cause !== undefined || findings.length > 0;

/** Without positions and times, which unrelated changes can shift. */
function healthOf(recording: Recording) {
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

/** The events in the journal if the agent had printed all this after one message. */
function eventsOf(recording: Recording): readonly Event[] {
  const scenario = new SessionScenario().create('go');
  for (const observation of replay(claudeCode, recording)) if (isStored(observation)) scenario.says(observation);
  return scenario.events.map((body, index) => ({ ...body, seq: index + 1, at: AT }) as Event);
}

const isStored = (observation: Observation): observation is Decidable => observation.type !== 'delta' && observation.type !== 'delta.dropped';
