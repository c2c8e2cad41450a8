import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/agents/claude-recordings.ts';
import { type RecordFile, readRecords } from '../../../test/support/agents/claude-records.ts';
import { replay } from '../../../test/support/agents/replay.ts';
import { claudeCode } from '../../agents/claude-code/index.ts';
import { KnownLines, keysOf, type RecordLine } from '../../domain/session/known-lines.ts';
import type { Event } from '../../protocol/event.ts';
import { KEPT, type Observation } from '../../protocol/observation.ts';

/** What all runs of a conversation printed. */
const live = new Map<string, Observation[]>();
for (const recording of readRecordings()) {
  const ids = new Set(recording.lines.map((line) => /"session_id":"([^"]+)"/.exec(line)?.[1] ?? ''));
  for (const id of ids) live.set(id, [...(live.get(id) ?? []), ...replay(claudeCode, recording)]);
}

/** Runs whose output was not recorded, or that copy what another conversation printed. */
const NOT_PRINTED: Readonly<Record<string, string>> = {
  '2.1.197-flag-json-output': 'only a result was requested',
  '2.1.197-stdout-epipe': 'nobody read its output',
  '2.1.197-kill9-6-resume-interrupted-env': 'one of its runs was not recorded',
  '2.1.197-sess-4-resume-fork': 'a copy: its start was printed by the original conversation',
  '2.1.197-sess-5-continue': 'a copy, and one of its runs was not recorded',
};

const records = readRecords();
const scenarioOf = ({ path }: RecordFile): string => path.split('/')[0] ?? '';
const eventOf = (observation: Observation, seq: number): Event => ({ ...observation, seq, at: '' }) as unknown as Event;
const isKept = (observation: Observation): boolean => (KEPT as readonly string[]).includes(observation.type);

/** The lines of a record as the engine passes them on, each with the last known time. */
function linesOf(record: RecordFile): readonly RecordLine[] {
  let at: string | undefined;
  return record.lines.map((raw, byte) => {
    const line = claudeCode.archive?.read(raw, record.context) ?? expect.fail('the agent has no archive');
    at = line.observations.find((one) => one.agentAt !== undefined)?.agentAt ?? at;
    return { ...line, file: record.path, byte, at };
  });
}

/** The known lines of a session that read all output of the runs and sent every typed input. */
function knownFromRuns(record: RecordFile): KnownLines {
  const known = new KnownLines();
  const events = [
    { type: 'run.opened', at: '2026' },
    ...(live.get(record.kind.agentSessionId) ?? []).filter(isKept).map(eventOf),
    { type: 'session.exited', at: '2027' },
  ] as unknown as readonly Event[];
  for (const event of events) known.add(event);
  for (const { observations, unprinted } of linesOf(record)) {
    for (const one of observations) if (one.type === 'user.message' && one.origin === 'elsewhere' && unprinted !== true) known.addInput(one.uuid ?? '');
  }
  return known;
}

const hasObservations = ({ observations }: RecordLine): boolean => observations.length > 0;

for (const record of records) {
  if (scenarioOf(record) in NOT_PRINTED) continue;
  test(`the record ${record.path} has nothing new for a session that read the output of its runs`, () => {
    const known = knownFromRuns(record);
    expect(linesOf(record).filter((line) => hasObservations(line) && !known.has(line))).toEqual([]);
  });
}

test('only records of runs whose output was not recorded have something new', () => {
  const lacking = records.filter((record) => linesOf(record).some((line) => hasObservations(line) && !knownFromRuns(record).has(line)));
  expect([...new Set(lacking.map(scenarioOf))].sort()).toEqual(Object.keys(NOT_PRINTED).sort());
});

test('after merging a record up to any line, exactly the later lines are new', () => {
  for (const record of records) {
    const lines = linesOf(record);
    for (let cut = 0; cut <= lines.length; cut += 1) {
      const known = new KnownLines();
      const merged = lines.slice(0, cut);
      for (const { observations, file, byte } of merged) {
        for (const one of observations) known.add({ ...eventOf(one, 1), elsewhere: true, src: { file, byte } } as Event);
      }
      const before = new Set(merged.flatMap((line) => line.observations.flatMap(keysOf)));
      const isRepeat = (line: RecordLine) => line.observations.flatMap(keysOf).some((key) => before.has(key));
      expect(merged.filter((line) => hasObservations(line) && !known.has(line))).toEqual([]);
      expect(lines.slice(cut).filter((line) => hasObservations(line) && !isRepeat(line) && known.has(line))).toEqual([]);
    }
  }
});

test('a line that is never printed counts as ours if one of our processes was running then, and as another program’s otherwise', () => {
  const record = records.find(({ path }) => path.startsWith('2.1.197-compact-manual/')) ?? expect.fail('the recording is missing');
  const command = linesOf(record).find((line) => line.unprinted) ?? expect.fail('no line is marked as unprinted');
  const runs = [
    ['2026-01-01', '2026-12-31', true],
    ['2026-01-01', '2026-01-02', false],
    ['2026-12-30', '2026-12-31', false],
  ] as const;
  for (const [from, until, isOurs] of runs) {
    const known = new KnownLines();
    for (const event of [
      { type: 'run.opened', at: from },
      { type: 'session.exited', at: until },
    ] as unknown as readonly Event[])
      known.add(event);
    expect(known.has(command)).toBe(isOurs);
  }
  expect(new KnownLines('2026-12-31').has(command)).toBe(true);
});
