import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { accepted, commandOf, createdAfter, entry, receiptOf, runOf, runRow, sessionOf, spoken } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import type { Event, EventBodyOf } from '../../protocol/event.ts';
import { AgentId } from '../../protocol/ids.ts';
import type { Journal } from '../journal.ts';
import { openSqliteJournal } from '../sqlite/open-journal.ts';
import { type Refold, rebuildJournal } from './rebuild.ts';

const folder = temporaryFolder();
const A = sessionOf('a');
const now = new Date('2026-05-06T07:08:09.010Z');

const created: EventBodyOf<'session.created'> = { type: 'session.created', agent: AgentId.parse('demo'), cwd: '/w', node: 'n', owner: 'o', options: {} };
const opened = (run: string): EventBodyOf<'run.opened'> => ({ type: 'run.opened', run: runOf(run), mode: 'new', reason: 'input' });

/** A refolder for a toy agent that prints one text per line. */
const refold: Refold = () => async (run, lines) => {
  const events = [];
  let outByte = 0;
  for await (const { line, byte } of lines) {
    events.push({ ...spoken(line), src: { run: run.run, byte } });
    outByte = byte + Buffer.byteLength(line) + 1;
  }
  return { events, outByte, adapterVersion: 3, foldState: { lines: events.length }, open: run.exit === undefined };
};

/** Acts as server and agent: each line is printed and journaled at once. */
class ToySession {
  readonly journal: Journal;
  readonly #bytes = new Map<string, number>();

  constructor(readonly dataDir: string) {
    this.journal = openSqliteJournal({ dataDir });
    this.append([created]);
  }

  append(events: Parameters<typeof entry>[2], more: object = {}): readonly Event[] {
    return this.journal.append({ ...entry(A, this.journal.lastSeq(A), events), ...more });
  }

  input(command: string): void {
    this.append([accepted(command)], { receipt: receiptOf(A, command, this.journal.lastSeq(A) + 1) });
  }

  open(run: string): void {
    const path = join(this.dataDir, 'sessions', 'a', run);
    mkdirSync(path, { recursive: true });
    for (const [name, text] of [
      ['host.json', '{"argv":["toy"]}'],
      ['in.ndjson', 'hello\n'],
      ['out.ndjson', ''],
    ] as const)
      writeFileSync(join(path, name), text);
    this.append([opened(run)], { runs: [runRow(A, run, 0)] });
  }

  print(run: string, line: string): void {
    const byte = this.#bytes.get(run) ?? 0;
    writeFileSync(join(this.dataDir, 'sessions', 'a', run, 'out.ndjson'), `${line}\n`, { flag: 'a' });
    const after = byte + Buffer.byteLength(line) + 1;
    this.#bytes.set(run, after);
    this.append([{ ...spoken(line), src: { run: runOf(run), byte } }], { runs: [{ ...runRow(A, run, after), adapterVersion: 3 }] });
  }

  /** Compresses the raw output, as a host does with an ended run. */
  compress(run: string): void {
    const path = join(this.dataDir, 'sessions', 'a', run);
    for (const name of ['in.ndjson', 'out.ndjson']) {
      writeFileSync(join(path, `${name}.gz`), gzipSync(readFileSync(join(path, name))));
      rmSync(join(path, name));
    }
    writeFileSync(join(path, 'exit'), '0');
  }
}

function toySession(): { readonly dataDir: string; readonly before: readonly Event[] } {
  const toy = new ToySession(folder.make());
  toy.input('c1');
  toy.open('r1');
  for (const line of ['one', 'zwei ä', 'three']) toy.print('r1', line);
  toy.input('c2');
  for (const line of ['four', 'five']) toy.print('r1', line);
  toy.compress('r1');
  toy.open('r2');
  toy.print('r2', 'six');
  toy.input('c3');
  toy.print('r2', 'seven');
  const before = toy.journal.after(A, 0, 1_000);
  toy.journal.close();
  return { dataDir: toy.dataDir, before };
}

const summary = (events: readonly Event[]) => events.map((event) => [event.seq, event.type, 'text' in event ? event.text : '']);

test('[R83] a journal that is cut in half is restored from the files: every event once, in order, with its number', async () => {
  const { dataDir, before } = toySession();
  truncateSync(join(dataDir, 'journal.db'), 5_000);
  appendFileSync(join(dataDir, 'sessions', 'a', 'people.ndjson'), '{"event":{"type":"input.acc');
  const report = await rebuildJournal({ dataDir, refold, now });
  expect(report).toMatchObject({ sessions: 1, peopleEvents: 6, agentEvents: 7, receipts: 3, unreadableLines: 1, skipped: [] });
  const journal = openSqliteJournal({ dataDir });
  expect(summary(journal.after(A, 0, 1_000))).toEqual(summary(before));
  expect(journal.receipt(commandOf('c2'))).toEqual(receiptOf(A, 'c2', before.find((event) => 'commandId' in event && event.commandId === 'c2')!.seq));
  expect(journal.runsOf(A)).toMatchObject([
    { run: 'r1', outByte: 28, inByte: 6, adapterVersion: 3, open: false },
    { run: 'r2', outByte: 10, inByte: 6, adapterVersion: 3, foldState: { lines: 2 }, open: true },
  ]);
  journal.close();
});

test('the old database is kept, and nothing half-finished is left', async () => {
  const { dataDir } = toySession();
  writeFileSync(join(dataDir, 'journal.rebuilding'), 'an earlier rebuild was killed');
  mkdirSync(join(dataDir, 'rebuild-earlier'));
  const old = readFileSync(join(dataDir, 'journal.db'));
  const { keptAside } = await rebuildJournal({ dataDir, refold, now });
  expect(keptAside).toContain(join(dataDir, 'journal.db.damaged-2026-05-06T07-08-09.010Z'));
  expect(readFileSync(join(dataDir, 'journal.db.damaged-2026-05-06T07-08-09.010Z')).equals(old)).toBe(true);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('rebuild') || name === 'journal.rebuilding')).toEqual([]);
});

test('a rebuilt journal accepts appends, and a second rebuild gives the same result', async () => {
  const { dataDir } = toySession();
  await rebuildJournal({ dataDir, refold, now });
  const journal = openSqliteJournal({ dataDir });
  const last = journal.lastSeq(A);
  journal.append({ ...entry(A, last, [accepted('c4')]), receipt: receiptOf(A, 'c4', last + 1) });
  const expected = journal.after(A, 0, 1_000);
  await journal.sync();
  journal.close();
  await rebuildJournal({ dataDir, refold, now: new Date(now.getTime() + 1) });
  const again = openSqliteJournal({ dataDir });
  expect(summary(again.after(A, 0, 1_000))).toEqual(summary(expected));
  expect(again.receipt(commandOf('c4'))?.seq).toBe(last + 1);
  again.close();
});

test('if the adapter now makes other events from the same lines, they stay on the same side of what people did', async () => {
  const { dataDir } = toySession();
  const doubling: Refold = (context) => async (run, lines) => {
    const refolded = await refold(context)(run, lines);
    return { ...refolded, events: refolded.events.flatMap((event) => [event, { ...event, index: 1 } as typeof event]) };
  };
  await rebuildJournal({ dataDir, refold: doubling, now });
  const journal = openSqliteJournal({ dataDir });
  const texts = journal.after(A, 0, 1_000).map((event) => ('text' in event ? event.text : event.type));
  const twice = (...lines: string[]) => lines.flatMap((line) => [line, line]);
  expect(texts).toEqual([
    ...['session.created', 'text of c1', 'run.opened', ...twice('one', 'zwei ä', 'three'), 'text of c2', ...twice('four', 'five')],
    ...['run.opened', ...twice('six'), 'text of c3', ...twice('seven')],
  ]);
  expect(['c1', 'c2', 'c3'].map((id) => texts[journal.receipt(commandOf(id))!.seq - 1])).toEqual(['text of c1', 'text of c2', 'text of c3']);
  journal.close();
});

test("a deleted session doesn't come back, and a folder that doesn't start with a creation is reported", async () => {
  const { dataDir } = toySession();
  const journal = openSqliteJournal({ dataDir });
  journal.append(entry(A, journal.lastSeq(A), [{ type: 'session.deleted' }]));
  journal.close();
  mkdirSync(join(dataDir, 'sessions', 'strange'));
  const { skipped } = await rebuildJournal({ dataDir, refold, now });
  expect(skipped).toEqual([
    { session: 'a', reason: 'it was deleted' },
    { session: 'strange', reason: 'people.ndjson does not start with the creation of the session' },
  ]);
});

test("a run that can't be folded is reported, and everything else is restored", async () => {
  const { dataDir } = toySession();
  for (const name of ['in.ndjson.gz', 'out.ndjson.gz']) truncateSync(join(dataDir, 'sessions', 'a', 'r1', name), 12);
  const { skipped, agentEvents, peopleEvents } = await rebuildJournal({ dataDir, refold, now });
  expect(skipped).toEqual([{ session: 'a', reason: expect.stringContaining('run r1 could not be folded (unexpected end of file)') }]);
  expect([peopleEvents, agentEvents]).toEqual([6, 2]);
});

test('a run that was opened and left no files never started: an earlier one is marked so, the last one is left to the next server', async () => {
  const toy = new ToySession(folder.make());
  toy.append([opened('never'), opened('r1')]);
  toy.append([opened('failed')]);
  toy.append([{ type: 'session.exited', run: runOf('failed'), reason: 'could-not-start' }]);
  toy.append([opened('last')]);
  toy.journal.close();
  await rebuildJournal({ dataDir: toy.dataDir, refold, now });
  const journal = openSqliteJournal({ dataDir: toy.dataDir });
  const events = journal.after(A, 0, 1_000).map((event) => ('run' in event ? [event.type, event.run, 'reason' in event ? event.reason : ''] : [event.type]));
  expect(events).toEqual([
    ['session.created'],
    ['run.opened', 'never', 'input'],
    ['session.exited', 'never', 'never-began'],
    ['run.opened', 'r1', 'input'],
    ['session.exited', 'r1', 'never-began'],
    ['run.opened', 'failed', 'input'],
    ['session.exited', 'failed', 'could-not-start'],
    ['run.opened', 'last', 'input'],
  ]);
  expect(journal.openRuns()).toMatchObject([{ run: 'last', outByte: 0, open: true }]);
  journal.close();
});

test('an event caused by a line keeps its place among the events of that line, even when many lines were read at once', async () => {
  const toy = new ToySession(folder.make());
  toy.open('r1');
  const lines = ['one', 'two', 'three'];
  writeFileSync(join(toy.dataDir, 'sessions', 'a', 'r1', 'out.ndjson'), `${lines.join('\n')}\n`);
  const src = (byte: number) => ({ src: { run: runOf('r1'), byte } });
  const busy = { type: 'session.status', status: 'busy', cause: 'assistant.text', causeSeq: 5 } as const;
  const batch = [
    { ...spoken('one'), ...src(0) },
    { ...accepted('c1'), ...src(0) },
    { ...spoken('two'), ...src(4) },
    { ...busy, ...src(4) },
  ];
  toy.append([...batch, { ...spoken('three'), ...src(8) }], { runs: [runRow(A, 'r1', 14)] });
  const before = toy.journal.after(A, 0, 1_000);
  toy.journal.close();
  await rebuildJournal({ dataDir: toy.dataDir, refold, now });
  const journal = openSqliteJournal({ dataDir: toy.dataDir });
  expect(journal.after(A, 0, 1_000).map(({ atKnown: _, ...event }) => event)).toEqual(before);
  journal.close();
});

test('[R207] after a rebuild an adopted session has the same numbers, following those of its record', async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  const B = sessionOf('past-b');
  const src = { file: 'projects/w/b.jsonl', byte: 7 };
  journal.append({
    ...entry(B, 40, [createdAfter(40), { type: 'session.status', status: 'ended', cause: 'session.created', causeSeq: 41 }]),
    receipt: receiptOf(B, 'c1', 41),
  });
  journal.append(entry(B, 42, [{ ...spoken('from a terminal'), at: '2026-01-01T00:00:00.000Z', elsewhere: true, src }, accepted('c2')]));
  const before = journal.after(B, 0, 99);
  journal.close();
  await rebuildJournal({ dataDir, refold, now });
  const rebuilt = openSqliteJournal({ dataDir });
  expect(rebuilt.after(B, 0, 99)).toEqual(before);
  expect(before.map((event) => event.seq)).toEqual([41, 42, 43, 44]);
  expect(rebuilt.receipt(commandOf('c1'))?.seq).toBe(41);
  rebuilt.append(entry(B, 44, [spoken('next')]));
  rebuilt.close();
});
