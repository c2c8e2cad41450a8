import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted, entry, receiptOf, runOf, runRow, sessionOf, spoken } from '../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../test/support/journal/temporary-folders.ts';
import { openSqliteJournal } from './sqlite/open-journal.ts';

const folder = temporaryFolder();
const A = sessionOf('a');
const mirrorOf = (dataDir: string) => join(dataDir, 'sessions', 'a', 'people.ndjson');
const printed = (text: string) => ({ ...spoken(text), src: { run: runOf('r1'), byte: 7 } });
const linesOf = (dataDir: string) => readFileSync(mirrorOf(dataDir), 'utf8').split('\n').slice(0, -1);

test("[R80] people's events are mirrored whole, with seq and time, and the agent's are not", () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  const events = journal.append({ ...entry(A, 0, [printed('x'), accepted('c1'), printed('y')]), receipt: receiptOf(A, 'c1', 2) });
  journal.append(entry(A, 3, [printed('z')]));
  expect(linesOf(dataDir).map((line) => JSON.parse(line))).toEqual([{ event: events[1] }, { receipt: receiptOf(A, 'c1', 2) }]);
  journal.close();
});

test('an event is stored with how far the run was read when it happened', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append({ ...entry(A, 0, [spoken('x')]), runs: [{ ...runRow(A, 'r1', 70), open: false }] });
  first.append(entry(A, 1, [accepted('c1')]));
  first.close();
  const again = openSqliteJournal({ dataDir });
  again.append(entry(A, 2, [accepted('c2')]));
  again.close();
  const anchors = new Map(linesOf(dataDir).map((line) => [JSON.parse(line).event.commandId, JSON.parse(line).anchor]));
  expect(anchors.get('c2')).toEqual({ run: 'r1', byte: 70 });
});

test('events that were committed but not mirrored are mirrored at the next start', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append({ ...entry(A, 0, [accepted('c1')]), receipt: receiptOf(A, 'c1', 1) });
  first.close();
  const linesBefore = linesOf(dataDir);
  rmSync(mirrorOf(dataDir));
  openSqliteJournal({ dataDir }).close();
  expect(linesOf(dataDir)).toEqual(linesBefore);
});

test('synced events are not mirrored again at the next start', async () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append({ ...entry(A, 0, [accepted('c1')]), receipt: receiptOf(A, 'c1', 1) });
  await first.sync();
  first.close();
  openSqliteJournal({ dataDir }).close();
  expect(linesOf(dataDir)).toHaveLength(2);
});

test('a line is never appended to one that a kill left torn', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append(entry(A, 0, [accepted('c1')]));
  first.close();
  appendFileSync(mirrorOf(dataDir), '{"type":"input.acc');
  const again = openSqliteJournal({ dataDir });
  again.append(entry(A, 1, [accepted('c2')]));
  again.close();
  const whole = linesOf(dataDir).filter((line) => line.endsWith('}'));
  expect(new Set(whole.map((line) => JSON.parse(line).event.commandId))).toEqual(new Set(['c1', 'c2']));
});

test("[R8] sync rejects while the mirror can't be written, and catches up once it can", async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  mkdirSync(join(dataDir, 'sessions'), { recursive: true });
  writeFileSync(join(dataDir, 'sessions', 'a'), 'a file where the folder should be');
  journal.append(entry(A, 0, [accepted('c1')]));
  await expect(journal.sync()).rejects.toThrow('ENOTDIR');
  rmSync(join(dataDir, 'sessions', 'a'));
  await journal.sync();
  expect(linesOf(dataDir)).toHaveLength(1);
  journal.close();
});

test("sync rejects if the mirror was written but can't be synced, and tries again", async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  journal.append(entry(A, 0, [accepted('c1')]));
  renameSync(mirrorOf(dataDir), join(dataDir, 'aside'));
  symlinkSync('people.ndjson', mirrorOf(dataDir));
  await expect(journal.sync()).rejects.toThrow('ELOOP');
  await expect(journal.sync()).rejects.toThrow('ELOOP');
  rmSync(mirrorOf(dataDir));
  renameSync(join(dataDir, 'aside'), mirrorOf(dataDir));
  await journal.sync();
  journal.close();
});

test('forgetting a session removes its mirror', async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  journal.append(entry(A, 0, [accepted('c1')]));
  journal.forget(A);
  expect(existsSync(mirrorOf(dataDir))).toBe(false);
  await journal.sync();
  journal.close();
});

test('events inherited from an earlier conversation are mirrored too, also at the next start, because no output of this session could restore them', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  const events = first.append(entry(A, 0, [{ ...spoken('from before'), inherited: true }, printed('new')]));
  first.close();
  expect(linesOf(dataDir).map((line) => JSON.parse(line))).toEqual([{ event: events[0] }]);
  rmSync(mirrorOf(dataDir));
  openSqliteJournal({ dataDir }).close();
  expect(linesOf(dataDir).map((line) => JSON.parse(line))).toEqual([{ event: events[0] }]);
});

test('events that no line of the agent can restore are mirrored too, also at the next start', () => {
  const dataDir = folder.make();
  const src = { run: runOf('r1'), byte: 7 };
  const first = openSqliteJournal({ dataDir });
  const events = first.append(
    entry(A, 0, [
      { type: 'notice.shown', level: 'info', text: 'Put to sleep' },
      { type: 'notice.shown', level: 'warning', text: 'of the agent itself', src },
      { type: 'notice.shown', level: 'warning', text: 'it prints nothing', src: { ...src, file: 'err.log' } },
      { type: 'session.status', status: 'busy', cause: 'turn.started', src },
      { type: 'output.lost', fromByte: 7, reason: 'too long', src },
      { type: 'session.exited', run: runOf('r1'), reason: 'sleep' },
    ]),
  );
  first.close();
  const mirrored = events.filter((_, index) => index !== 1).map((event) => ({ event }));
  expect(linesOf(dataDir).map((line) => JSON.parse(line))).toEqual(mirrored);
  rmSync(mirrorOf(dataDir));
  openSqliteJournal({ dataDir }).close();
  expect(linesOf(dataDir).map((line) => JSON.parse(line))).toEqual(mirrored);
});
