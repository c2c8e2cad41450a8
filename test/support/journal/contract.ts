import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Journal, OutOfOrder } from '../../../src/journal/journal.ts';
import type { AuditFilter } from '../../../src/protocol/api/audit.ts';
import { WORKSPACE } from '../../../src/protocol/event.ts';
import { accepted, auditLineOf, commandOf, createdAfter, decidedBy, entry, receiptOf, runRow, sessionOf, spoken } from './samples.ts';
import { temporaryFolder } from './temporary-folders.ts';

/** Tests that every implementation of a journal must pass. */
export function journalContract(name: string, open: (dataDir: string) => Journal): void {
  describe(`the ${name} journal`, () => {
    const folder = temporaryFolder();
    let journal: Journal;
    beforeEach(() => {
      journal = open(folder.make());
    });
    afterEach(() => journal.close());
    const context = { journal: () => journal, folder: () => folder.current() };

    numbering(context);
    receipts(context);
    paging(context);
    runsAndSends(context);
    allOrNothing(context);
    blobs(context);
    positions(context);
    forgetting(context);
    auditing(context);
    backups(context);
    rulesAndWorkspace(context);
  });
}

interface Context {
  readonly journal: () => Journal;
  readonly folder: () => string;
}

const A = sessionOf('a');
const B = sessionOf('b');

const seqsOf = (events: readonly { readonly seq: number }[]) => events.map((event) => event.seq);

function numbering({ journal }: Context): void {
  test('[R3] numbers the events of each session from 1 without gaps', () => {
    const first = journal().append(entry(A, 0, [accepted('c1'), spoken('x')]));
    const other = journal().append(entry(B, 0, [spoken('y')]));
    const second = journal().append(entry(A, 2, [spoken('z')]));
    expect([first, other, second].map((events) => events.map((event) => event.seq))).toEqual([[1, 2], [1], [3]]);
    expect(journal().lastSeq(A)).toBe(3);
    expect(journal().lastSeq(sessionOf('unknown'))).toBe(0);
  });

  test('[R206] an adopted session starts after the number in its creation event, and continues from there', () => {
    const first = journal().append(entry(A, 40, [createdAfter(40), spoken('x')]));
    const second = journal().append({ ...entry(A, 42, [spoken('y')]), receipt: receiptOf(A, 'c1', 43), snapshot: { seq: 43, version: 1, state: {} } });
    expect([first, second].map(seqsOf)).toEqual([[41, 42], [43]]);
    expect([journal().lastSeq(A), journal().snapshot(A)?.seq]).toEqual([43, 43]);
    expect([0, 40, 41, 43].map((after) => seqsOf(journal().after(A, after, 2)))).toEqual([[41, 42], [41, 42], [42, 43], []]);
    expect([99, 43, 41, 7].map((before) => seqsOf(journal().before(A, before, 2)))).toEqual([[42, 43], [41, 42], [], []]);
    expect(
      journal()
        .since(0, 9)
        .map(({ event }) => event.seq),
    ).toEqual([41, 42, 43]);
  });

  test('a new session starts only after the number that its creation event names', () => {
    expect(() => journal().append(entry(A, 0, [createdAfter(40)]))).toThrow(OutOfOrder);
    expect(() => journal().append(entry(A, 41, [createdAfter(40)]))).toThrow(OutOfOrder);
    expect(() => journal().append(entry(A, 40, [spoken('x'), createdAfter(40)]))).toThrow(OutOfOrder);
    expect(journal().sessions()).toEqual([]);
    journal().append(entry(A, 40, [createdAfter(40)]));
    expect(() => journal().append(entry(A, 40, [createdAfter(40)]))).toThrow(OutOfOrder);
    journal().forget(A);
    expect(seqsOf(journal().append(entry(A, 7, [createdAfter(7)])))).toEqual([8]);
  });

  test('[R4] refuses an append that is not after the last seq, and stores none of it', () => {
    journal().append(entry(A, 0, [spoken('x')]));
    expect(() => journal().append(entry(A, 0, [spoken('y')]))).toThrow(OutOfOrder);
    expect(() => journal().append(entry(A, 2, [spoken('y')]))).toThrow(OutOfOrder);
    expect(journal().after(A, 0, 10)).toHaveLength(1);
  });

  test('keeps the time of an event that has one, and uses the time of the entry otherwise', () => {
    const events = journal().append({ ...entry(A, 0, [{ ...spoken('x'), at: '2026-01-01T00:00:00.000Z' }, spoken('y')]), at: '2026-02-02T00:00:00.000Z' });
    expect(events.map((event) => event.at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z']);
    expect(journal().after(A, 0, 10)).toEqual(events);
  });

  test('returns every field of an event unchanged', () => {
    const body = {
      ...spoken('ä\u0000"\\\n🚂'),
      turnId: 't' as never,
      src: { run: 'r' as never, byte: 7 },
      actor: { kind: 'agent', id: 'i', name: 'n' },
    } as const;
    const events = journal().append(entry(A, 0, [body]));
    expect(events).toEqual([{ ...body, seq: 1, at: entry(A, 0, []).at }]);
    expect(journal().after(A, 0, 1)).toEqual(events);
  });
}

function receipts({ journal }: Context): void {
  test('stores a receipt with its entry and finds it by the command id', () => {
    const receipt = receiptOf(A, 'c1', 1);
    journal().append({ ...entry(A, 0, [accepted('c1')]), receipt });
    journal().append({ ...entry(A, 1, []), receipt: { ...receiptOf(A, 'c2', 1), queued: true } });
    expect(journal().receipt(commandOf('c1'))).toEqual(receipt);
    expect(journal().receipt(commandOf('c2'))).toEqual({ ...receiptOf(A, 'c2', 1), queued: true });
    expect(journal().receipt(commandOf('c3'))).toBeUndefined();
  });

  test('refuses a second entry for the same command, and stores none of it', () => {
    journal().append({ ...entry(A, 0, [accepted('c1')]), receipt: receiptOf(A, 'c1', 1) });
    expect(() => journal().append({ ...entry(A, 1, [accepted('c1')]), receipt: receiptOf(A, 'c1', 2) })).toThrow('receipt');
    expect(journal().lastSeq(A)).toBe(1);
    expect(journal().receipt(commandOf('c1'))?.seq).toBe(1);
  });

  test('resolves sync, even for several callers at once', async () => {
    journal().append({ ...entry(A, 0, [accepted('c1')]), receipt: receiptOf(A, 'c1', 1) });
    await Promise.all([journal().sync(), journal().sync(), journal().sync()]);
    await journal().sync();
    expect(journal().lastSeq(A)).toBe(1);
  });
}

function paging({ journal }: Context): void {
  test('pages forward and backward, in ascending order both times', () => {
    journal().append(entry(A, 0, ['1', '2', '3', '4', '5'].map(spoken)));
    const seqs = (events: readonly { readonly seq: number }[]) => events.map((event) => event.seq);
    expect(seqs(journal().after(A, 2, 2))).toEqual([3, 4]);
    expect(seqs(journal().after(A, 5, 2))).toEqual([]);
    expect(seqs(journal().before(A, 4, 2))).toEqual([2, 3]);
    expect(seqs(journal().before(A, 2, 9))).toEqual([1]);
    expect(seqs(journal().before(A, 1, 9))).toEqual([]);
    expect(seqs(journal().before(A, 99, 2))).toEqual([4, 5]);
  });

  test('keeps the last snapshot of a session', () => {
    expect(journal().snapshot(A)).toBeUndefined();
    journal().append({ ...entry(A, 0, [spoken('x')]), snapshot: { seq: 1, version: 1, state: { open: [] } } });
    journal().append({ ...entry(A, 1, [spoken('y')]), snapshot: { seq: 2, version: 1, state: { open: ['r'] } } });
    expect(journal().snapshot(A)).toEqual({ seq: 2, version: 1, state: { open: ['r'] } });
  });
}

function runsAndSends({ journal }: Context): void {
  test('updates a run together with the events from its bytes, and lists open runs', () => {
    journal().append({ ...entry(A, 0, [spoken('x')]), runs: [runRow(A, 'r1', 10)] });
    journal().append({ ...entry(A, 1, []), runs: [{ ...runRow(A, 'r1', 20), open: false }, runRow(A, 'r2', 0)] });
    expect(journal().run(runRow(A, 'r1', 0).run)).toEqual({ ...runRow(A, 'r1', 20), open: false });
    expect(journal().openRuns()).toEqual([runRow(A, 'r2', 0)]);
    expect(
      journal()
        .runsOf(A)
        .map((row) => row.run),
    ).toEqual(['r1', 'r2']);
    expect(journal().run(runRow(A, 'none', 0).run)).toBeUndefined();
  });

  test('stores sends byte for byte and in order until each is done', () => {
    const { run } = runRow(A, 'r1', 0);
    const sends = [5, 0].map((offset) => ({ run, offset, bytes: new Uint8Array([offset, 0, 255, 10]) }));
    journal().append({ ...entry(A, 0, [accepted('c1')]), runs: [runRow(A, 'r1', 0)], sends });
    expect(
      journal()
        .pendingSends(run)
        .map((row) => [row.run, row.offset, [...row.bytes]]),
    ).toEqual([
      [run, 0, [0, 0, 255, 10]],
      [run, 5, [5, 0, 255, 10]],
    ]);
    journal().sendDone(run, 0);
    journal().sendDone(run, 0);
    expect(
      journal()
        .pendingSends(run)
        .map((row) => row.offset),
    ).toEqual([5]);
  });
}

function allOrNothing({ journal }: Context): void {
  test('[R6] if one part of an entry cannot be stored, none of it is, and the next entry works', () => {
    const send = { run: runRow(A, 'r1', 0).run, offset: 0, bytes: new Uint8Array([1]) };
    journal().append({ ...entry(A, 0, [accepted('c1')]), sends: [send] });
    const again = { ...entry(A, 1, [accepted('c2')]), receipt: receiptOf(A, 'c2', 2), sends: [send] };
    expect(() => journal().append(again)).toThrow();
    expect([journal().lastSeq(A), journal().receipt(commandOf('c2')), journal().since(0, 9).length]).toEqual([1, undefined, 1]);
    expect(
      journal()
        .append(entry(A, 1, [spoken('x')]))
        .map((event) => event.seq),
    ).toEqual([2]);
  });
}

function blobs({ journal }: Context): void {
  test('stores a blob under its SHA-256', () => {
    const key = journal().putBlob(new TextEncoder().encode('abc'));
    expect(key).toEqual({ sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', bytes: 3 });
    expect(journal().putBlob(new TextEncoder().encode('abc'))).toEqual(key);
    expect(Buffer.from(journal().blob(key.sha256) ?? []).toString()).toBe('abc');
    expect(journal().blob('0'.repeat(64))).toBeUndefined();
  });
}

function positions({ journal }: Context): void {
  test('returns everything after a position, across all sessions, in append order', () => {
    journal().append(entry(A, 0, [spoken('1'), spoken('2')]));
    const middle = journal().position();
    journal().append(entry(B, 0, [spoken('3')]));
    journal().append(entry(A, 2, [spoken('4')]));
    const all = journal().since(0, 100);
    expect(all.map((one) => [one.session, one.event.seq])).toEqual([
      [A, 1],
      [A, 2],
      [B, 1],
      [A, 3],
    ]);
    expect(journal().since(middle, 100)).toEqual(all.slice(2));
    expect(journal().since(0, 3)).toEqual(all.slice(0, 3));
    expect(journal().since(journal().position(), 100)).toEqual([]);
  });

  test('advances the position for a receipt without events', () => {
    journal().append(entry(A, 0, [spoken('1')]));
    const before = journal().position();
    journal().append({ ...entry(A, 1, []), receipt: receiptOf(A, 'c1', 1) });
    expect(journal().position()).toBeGreaterThan(before);
  });
}

function forgetting({ journal }: Context): void {
  test('forgets a session completely, and leaves the others unchanged', () => {
    const mine = journal().putBlob(new TextEncoder().encode('only here'));
    const shared = journal().putBlob(new TextEncoder().encode('in both'));
    journal().append({
      ...entry(A, 0, [
        { ...spoken('x'), blobs: { text: mine } },
        { ...accepted('c1'), images: [{ mediaType: 'image/png', ...shared }] },
      ]),
      receipt: receiptOf(A, 'c1', 1),
      runs: [runRow(A, 'r1', 1)],
      sends: [{ run: runRow(A, 'r1', 0).run, offset: 0, bytes: new Uint8Array([1]) }],
      snapshot: { seq: 1, version: 1, state: {} },
    });
    journal().append({ ...entry(B, 0, [{ ...spoken('y'), blobs: { text: shared } }]), receipt: receiptOf(B, 'c2', 1) });
    const position = journal().position();
    journal().forget(A);
    journal().forget(sessionOf('unknown'));
    expect([journal().lastSeq(A), journal().after(A, 0, 9), journal().runsOf(A), journal().openRuns()]).toEqual([0, [], [], []]);
    expect([journal().receipt(commandOf('c1')), journal().snapshot(A), journal().blob(mine.sha256)]).toEqual([undefined, undefined, undefined]);
    expect(journal().pendingSends(runRow(A, 'r1', 0).run)).toEqual([]);
    expect(journal().sessions()).toEqual([B]);
    expect([journal().lastSeq(B), journal().receipt(commandOf('c2'))?.seq, journal().blob(shared.sha256)?.byteLength]).toEqual([1, 1, 7]);
    expect(journal().position()).toBe(position);
  });

  test('a forgotten session can start again at 1, at a position that was never used', () => {
    journal().append(entry(A, 0, [spoken('x'), spoken('y')]));
    const before = journal().position();
    journal().forget(A);
    journal().append(entry(A, 0, [spoken('z')]));
    expect(
      journal()
        .since(0, 9)
        .map((one) => [one.event.seq, one.position > before]),
    ).toEqual([[1, true]]);
  });
}

function auditing({ journal }: Context): void {
  const seqsOf = (filter: Partial<AuditFilter>) =>
    journal()
      .audit({ limit: 100, ...filter })
      .map((entry) => entry.seq);

  test('[R160] a decision is in the audit with its events, or neither is', () => {
    const send = { run: runRow(A, 'r1', 0).run, offset: 0, bytes: new Uint8Array([1]) };
    journal().append({ ...entry(A, 0, [accepted('c1')]), sends: [send], audit: [auditLineOf('a', 1)] });
    expect(() => journal().append({ ...entry(A, 1, [accepted('c2')]), sends: [send], audit: [auditLineOf('a', 2)] })).toThrow();
    expect(journal().audit({ limit: 9 })).toEqual([{ id: 1, ...auditLineOf('a', 1) }]);
  });

  test('[R161] the audit stays when its session is forgotten, even if another session reuses the id', () => {
    journal().append({ ...entry(A, 0, [accepted('c1')]), audit: [auditLineOf('a', 1)] });
    journal().forget(A);
    journal().append({ ...entry(A, 0, [accepted('c2')]), audit: [auditLineOf('a', 1, { at: '2026-04-01T00:00:00.000Z' })] });
    expect(journal().audit({ limit: 9 })).toHaveLength(2);
  });

  test('the audit returns pages, newest first, including lines that were added later', () => {
    journal().append({ ...entry(A, 0, [accepted('c4')]), audit: [auditLineOf('a', 4), auditLineOf('a', 5)] });
    journal().completeAudit(
      [1, 2, 3].map((seq) => auditLineOf('b', seq)),
      true,
    );
    const first = journal().audit({ limit: 2 });
    const second = journal().audit({ limit: 2, cursor: first[1]?.id });
    const third = journal().audit({ limit: 2, cursor: second[1]?.id });
    expect([first, second, third].map((page) => page.map((one) => one.seq))).toEqual([[5, 4], [3, 2], [1]]);
  });

  test('an existing audit line is not added again, and the journal knows when the audit is complete', () => {
    journal().append({ ...entry(A, 0, [accepted('c1')]), audit: [auditLineOf('a', 1)] });
    expect(journal().isAudited()).toBe(false);
    journal().completeAudit([auditLineOf('a', 1), auditLineOf('a', 2)], false);
    expect(journal().isAudited()).toBe(false);
    journal().completeAudit([auditLineOf('a', 2)], true);
    expect([journal().isAudited(), seqsOf({})]).toEqual([true, [2, 1]]);
  });

  test('the journal knows for which sessions the audit is complete, until it is complete for all', () => {
    journal().completeAudit([auditLineOf('a', 1)], false, A);
    expect([journal().isAudited(A), journal().isAudited(B), journal().isAudited(WORKSPACE), journal().isAudited()]).toEqual([true, false, false, false]);
    journal().completeAudit([], true);
    expect([journal().isAudited(A), journal().isAudited(B), journal().isAudited()]).toEqual([true, true, true]);
  });

  test('the audit is filtered by session, person, kind of decision, request, time and text', () => {
    const bob = { kind: 'person', id: 'bob#2', name: 'bob' } as const;
    journal().completeAudit(
      [
        auditLineOf('a', 1),
        auditLineOf('b', 2, { actor: bob }),
        auditLineOf('b', 3, { action: 'permission.resolved', requestId: 'r:1', words: 'denied Bash `rm -rf 100%`' }),
      ],
      true,
    );
    const asked: readonly (readonly [Partial<AuditFilter>, readonly number[]])[] = [
      [{ session: 'b' }, [3, 2]],
      [{ actor: 'bob' }, [2]],
      [{ actor: 'bob#2' }, [2]],
      [{ action: 'input.accepted' }, [2, 1]],
      [{ request: 'r:1' }, [3]],
      [{ after: '2026-03-04T05:06:07.002Z' }, [3, 2]],
      [{ before: '2026-03-04T05:06:07.002Z' }, [1]],
      [{ q: 'BASH `rm -rf 100%' }, [3]],
      [{ q: '%' }, [3]],
      [{ seenBy: { actorId: 'bob#2', sessions: ['a'] } }, [2, 1]],
      [{ seenBy: { actorId: 'nobody', sessions: [] } }, []],
    ];
    expect(asked.map(([filter]) => seqsOf(filter))).toEqual(asked.map(([, seqs]) => seqs));
  });
}

function backups({ journal, folder }: Context): void {
  test('writes a backup, and can be closed twice', async () => {
    journal().append(entry(A, 0, [spoken('x')]));
    const path = join(folder(), 'copy');
    await journal().backup(path);
    expect(existsSync(path)).toBe(true);
    journal().close();
    journal().close();
  });
}

function rulesAndWorkspace({ journal }: Context): void {
  test('stores the workspace in its own stream, which is not a session', () => {
    journal().append({ ...entry(WORKSPACE, 0, [{ type: 'token.revoked', name: 'vera' }]), receipt: receiptOf(WORKSPACE, 'c1', 1) });
    journal().append(entry(A, 0, [spoken('x')]));
    expect(journal().sessions()).toEqual([A]);
    expect([journal().lastSeq(WORKSPACE), journal().receipt(commandOf('c1'))?.sessionId]).toEqual([1, WORKSPACE]);
    expect(journal().after(WORKSPACE, 0, 9)).toMatchObject([{ type: 'token.revoked', name: 'vera' }]);
  });

  test('counts each decision of a rule once, and keeps the count when the session is forgotten', () => {
    journal().append({ ...entry(A, 0, [decidedBy('r1'), decidedBy('r1', 'r2')]), at: '2026-03-04T05:06:08.000Z' });
    journal().append(entry(B, 0, [decidedBy('r1'), { ...decidedBy('r1'), inherited: true }, { ...decidedBy('r1'), actor: undefined }]));
    journal().forget(A);
    expect([...journal().ruleUses()].sort()).toEqual([
      ['r1', { uses: 3, lastUsedAt: '2026-03-04T05:06:08.000Z' }],
      ['r2', { uses: 1, lastUsedAt: '2026-03-04T05:06:08.000Z' }],
    ]);
  });

  test('reads some types of events backward, newest first, one span at a time', () => {
    journal().append(entry(A, 0, [accepted('c1'), spoken('1'), spoken('2')]));
    journal().append(entry(B, 0, [spoken('3')]));
    const end = journal().position() + 1;
    const texts = (before: number, span: number) =>
      journal()
        .back(before, span, ['assistant.text'])
        .map(({ session, event }) => [session, 'text' in event ? event.text : '']);
    expect(texts(end, 2)).toEqual([
      [B, '3'],
      [A, '2'],
    ]);
    expect(texts(end - 2, 100)).toEqual([[A, '1']]);
    expect(texts(1, 100)).toEqual([]);
  });
}
