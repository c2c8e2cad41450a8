import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { briefOf } from '../../src/domain/health/brief.ts';
import { healthAt } from '../../src/domain/health/health.ts';
import { HEALTHY } from '../../src/domain/health/state.ts';
import { countUsage, NOTHING_COUNTED } from '../../src/domain/usage/count.ts';
import { tokensOf } from '../../src/domain/usage/entry.ts';
import { costOf } from '../../src/domain/usage/price.ts';
import { foldRecord } from '../../src/index/health/health-fold.ts';
import { readRecordings } from '../support/agents/claude-recordings.ts';
import { replay } from '../support/agents/replay.ts';
import { type RecordedPastSession, recordedPastSessions } from '../support/archive/past-sessions.ts';

const pasts = recordedPastSessions();
/** Long after the last session. */
const LATER = '2027-01-01T00:00:00.000Z';

function healthOf({ events, spent }: RecordedPastSession) {
  const state = foldRecord(HEALTHY, 'claude-code', events, spent, (_, model) => claudeCode.archive?.window?.(model));
  return healthAt(state, LATER);
}

function spendingOf({ events, spent }: RecordedPastSession) {
  const { entries } = countUsage(NOTHING_COUNTED, events, spent);
  const priced = entries.map(({ model, usage }) => ({ usage, price: claudeCode.archive?.price?.(model) }));
  return {
    tokens: entries.reduce((all, { usage }) => all + tokensOf(usage), 0),
    turns: entries.reduce((all, { turns }) => all + turns, 0),
    costUsd: Math.round(priced.reduce((all, { usage, price }) => all + (price === undefined ? 0 : costOf(usage, price)), 0) * 1e9) / 1e9,
  };
}

test('the health and usage of every recorded past session are unchanged', async () => {
  const lines = pasts.map((past) => {
    const { line, ...brief } = briefOf(healthOf(past));
    return `${past.name}: ${JSON.stringify({ ...brief, points: line.length, ...spendingOf(past) })}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden/past-health.txt'));
});

/** Why a record gives other numbers than the CLI did. */
const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  '2.1.197-compact-manual': 'the request that wrote the summary is in no line',
  '2.1.197-interrupt-text': 'the line of an interrupted answer has tokens that the CLI did not count',
  '2.1.197-sess-4-resume-fork': 'it repeats the usage of its origin, which the session index counts once',
};

test('[R221] the usage counted from a record equals what the CLI reported while it ran, except for what no line contains', () => {
  const live = liveSpending();
  // Some scenarios share an id but not a record.
  const ids = pasts.map(({ agentSessionId }) => agentSessionId);
  const own = pasts.filter(({ agentSessionId }) => ids.indexOf(agentSessionId) === ids.lastIndexOf(agentSessionId) && live.has(agentSessionId));
  const different = own.filter((past) => {
    const { tokens, costUsd } = spendingOf(past);
    return JSON.stringify({ tokens, costUsd }) !== JSON.stringify(live.get(past.agentSessionId));
  });
  expect(own.length).toBeGreaterThan(60);
  expect(different.map(({ name }) => name.split(' ')[0])).toEqual(Object.keys(KNOWN_DIFFERENCES));
});

function liveSpending(): ReadonlyMap<string, { readonly tokens: number; readonly costUsd: number }> {
  const live = new Map<string, { readonly tokens: number; readonly costUsd: number }>();
  for (const recording of readRecordings()) {
    const observations = replay(claudeCode, recording);
    const id = observations.find((one) => one.type === 'session.started')?.agentSessionId ?? '';
    for (const turn of observations.filter((one) => one.type === 'turn.ended')) {
      const known = live.get(id) ?? { tokens: 0, costUsd: 0 };
      const tokens = (turn.models ?? []).reduce((all, { usage }) => all + tokensOf(usage), 0);
      live.set(id, { tokens: known.tokens + tokens, costUsd: Math.round((known.costUsd + (turn.costUsd ?? 0)) * 1e9) / 1e9 });
    }
  }
  return live;
}
