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
  test(`each line of ${record.path} is read as it was before`, async () => {
    const printed = `[\n${reading(record)
      .map((line) => JSON.stringify(line))
      .join(',\n')}\n]\n`;
    await expect(printed).toMatchFileSnapshot(record.golden);
  });
}

test('every recorded line is known, and everything told of it has the shape of its observation', () => {
  for (const observation of records.flatMap(reading).flatMap((line) => line.observations)) {
    const definition = OBSERVATIONS.find((one) => one.type === observation.type);
    expect(definition?.schema['~standard'].validate(observation)).not.toHaveProperty('issues');
    expect(observation.type).not.toBe('unrecognised');
  }
});

/** What was printed in all lives of a conversation. */
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

/** Lines before 2.1.325 do not say which block of a message they are: then the item is known by the line. */
const hasSameItem = (past: Observation, printed: Observation): boolean => {
  if (!('itemId' in past)) return !('itemId' in printed);
  return 'itemId' in printed && (past.itemId === printed.itemId || (past.type.startsWith('assistant.') && 'uuid' in past && past.itemId === past.uuid));
};
const isTold = (by: string) => (past: Observation) => (live.get(by) ?? []).some((printed) => isSame(past, printed));

/** Runs that Signalbox never makes, or whose output did not come through. */
const NOT_PRINTED: Readonly<Record<string, string>> = {
  '2.1.197-dangerously-root-sandbox': 'no echo was asked for',
  '2.1.197-err-401': 'no echo was asked for',
  '2.1.197-flag-mcp-permission-tool': 'no echo was asked for',
  '2.1.197-flag-prompt-arg-plus-stdin': 'no echo was asked for',
  '2.1.197-flag-text-input': 'no echo was asked for',
  '2.1.197-permission-denied-noprompt': 'no echo was asked for',
  '2.1.197-plain': 'no echo was asked for',
  '2.1.197-flag-json-output': 'only a result was asked for',
  '2.1.197-signal-SIGHUP-text': 'killed before the echo',
  '2.1.197-signal-SIGKILL-text': 'killed before the echo',
  '2.1.197-signal-SIGTERM-text': 'killed before the echo',
  '2.1.197-stdout-epipe': 'nobody read its output',
  '2.1.197-kill9-6-resume-interrupted-env': 'one of its lives was not recorded',
  '2.1.197-sess-4-resume-fork': 'a copy: its beginning was printed by the conversation that it copies',
  '2.1.197-sess-5-continue': 'a copy, and one of its lives was not recorded',
};

for (const record of records) {
  const scenario = record.path.split('/')[0] ?? '';
  if (scenario in NOT_PRINTED) continue;
  test(`what ${record.path} tells was printed under the same id, but for what no stream has`, () => {
    const printed = reading(record).filter((line) => !line.unprinted);
    const missing = printed.flatMap((line) => line.observations).filter((one) => !isTold(record.kind.agentSessionId)(one));
    expect(missing).toEqual([]);
  });
}

test('[R201] the runs that printed less than they wrote are those that are named', () => {
  const lacking = records.filter((record) => reading(record).some((line) => !line.unprinted && !line.observations.every(isTold(record.kind.agentSessionId))));
  expect([...new Set(lacking.map((record) => record.path.split('/')[0]))].sort()).toEqual(Object.keys(NOT_PRINTED).sort());
});

test('blocks of a message that has several have items of their own', () => {
  const record = records.find(({ path }) => path.startsWith('2.1.197-thinking/'));
  const items = reading(record ?? expect.fail('the recording is there')).flatMap((line) =>
    line.observations.map((one) => ('itemId' in one ? one.itemId : undefined)),
  );
  expect(new Set(items).size).toBe(3);
});

test('a block that says which of its message it is has the id under which it was streamed', () => {
  const texts = records.filter(({ path }) => path.startsWith('2.1.325-')).flatMap((record) => reading(record).flatMap((line) => line.observations));
  const items = texts.flatMap((one) => (one.type === 'assistant.text' && one.model !== undefined ? [one.itemId] : []));
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(item).toMatch(/^msg_\w+:\d+$/);
});
