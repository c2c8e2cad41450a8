import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { type RecordFile, readRecords } from '../../../../test/support/agents/claude-records.ts';
import { replay } from '../../../../test/support/agents/replay.ts';
import type { Observation } from '../../../protocol/observation.ts';
import { OBSERVATIONS } from '../../../protocol/observation-manifest.ts';
import { claudeCode } from '../index.ts';
import { archive } from './archive.ts';

const records = readRecords();
const reading = ({ lines, context }: RecordFile) => lines.map((line) => archive.read(line, context));

for (const record of records) {
  test(`reading each line of ${record.path} returns the same result as before`, async () => {
    const printed = `[\n${reading(record)
      .map((line) => JSON.stringify(line))
      .join(',\n')}\n]\n`;
    await expect(printed).toMatchFileSnapshot(record.golden);
  });
}

test('every recorded line is known, and every observation has a valid shape', () => {
  for (const observation of records.flatMap(reading).flatMap((line) => line.observations)) {
    const definition = OBSERVATIONS.find((one) => one.type === observation.type);
    expect(definition?.schema['~standard'].validate(observation)).not.toHaveProperty('issues');
    expect(observation.type).not.toBe('unrecognised');
  }
});

/** Everything printed in all runs of a conversation. */
const live = new Map<string, Observation[]>();
for (const recording of readRecordings()) {
  const ids = new Set(recording.lines.map((line) => /"session_id":"([^"]+)"/.exec(line)?.[1] ?? ''));
  for (const id of ids) live.set(id, [...(live.get(id) ?? []), ...replay(claudeCode, recording)]);
}

const isSame = (past: Observation, printed: Observation): boolean => {
  if (printed.type === 'input.taken') return past.type === 'user.message' && past.uuid === printed.inputId && past.itemId === printed.inputId;
  if (past.type !== printed.type || !('uuid' in past) || !('uuid' in printed)) return false;
  return past.uuid !== undefined && past.uuid === printed.uuid && past.parentItemId === printed.parentItemId && hasSameItem(past, printed);
};

/** Lines before 2.1.325 have no block index, so the line's id identifies the item. */
const hasSameItem = (past: Observation, printed: Observation): boolean => {
  if (!('itemId' in past)) return !('itemId' in printed);
  return 'itemId' in printed && (past.itemId === printed.itemId || (past.type.startsWith('assistant.') && 'uuid' in past && past.itemId === past.uuid));
};
const wasPrinted = (by: string) => (past: Observation) => (live.get(by) ?? []).some((printed) => isSame(past, printed));

/** Runs that Signalbox never makes, or whose output got lost. */
const NOT_PRINTED: Readonly<Record<string, string>> = {
  '2.1.197-dangerously-root-sandbox': 'no echo was requested',
  '2.1.197-err-401': 'no echo was requested',
  '2.1.197-flag-mcp-permission-tool': 'no echo was requested',
  '2.1.197-flag-prompt-arg-plus-stdin': 'no echo was requested',
  '2.1.197-flag-text-input': 'no echo was requested',
  '2.1.197-permission-denied-noprompt': 'no echo was requested',
  '2.1.197-plain': 'no echo was requested',
  '2.1.197-flag-json-output': 'only a result was requested',
  '2.1.197-signal-SIGHUP-text': 'killed before the echo',
  '2.1.197-signal-SIGKILL-text': 'killed before the echo',
  '2.1.197-signal-SIGTERM-text': 'killed before the echo',
  '2.1.197-stdout-epipe': 'nobody read its output',
  '2.1.197-kill9-6-resume-interrupted-env': 'one of its processes was not recorded',
  '2.1.197-sess-4-resume-fork': 'a copy: its start was printed by the conversation it was copied from',
  '2.1.197-sess-5-continue': 'a copy, and one of its processes was not recorded',
};

for (const record of records) {
  const scenario = record.path.split('/')[0] ?? '';
  if (scenario in NOT_PRINTED) continue;
  test(`everything in ${record.path} was printed with the same id, except lines that no stream has`, () => {
    const printed = reading(record).filter((line) => !line.unprinted);
    const missing = printed.flatMap((line) => line.observations).filter((one) => !wasPrinted(record.kind.agentSessionId)(one));
    expect(missing).toEqual([]);
  });
}

test('[R201] only the listed runs printed less than they recorded', () => {
  const lacking = records.filter((record) =>
    reading(record).some((line) => !line.unprinted && !line.observations.every(wasPrinted(record.kind.agentSessionId))),
  );
  expect([...new Set(lacking.map((record) => record.path.split('/')[0]))].sort()).toEqual(Object.keys(NOT_PRINTED).sort());
});

test('each block of a message with several blocks is a separate item', () => {
  const record = records.find(({ path }) => path.startsWith('2.1.197-thinking/'));
  const items = reading(record ?? expect.fail('the recording is missing')).flatMap((line) =>
    line.observations.map((one) => ('itemId' in one ? one.itemId : undefined)),
  );
  expect(new Set(items).size).toBe(3);
});

test('a block with an index has the id it was streamed with', () => {
  const texts = records.filter(({ path }) => path.startsWith('2.1.325-')).flatMap((record) => reading(record).flatMap((line) => line.observations));
  const items = texts.flatMap((one) => (one.type === 'assistant.text' && one.model !== undefined ? [one.itemId] : []));
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item).toMatch(/^msg_\w+:\d+$/);
});
