import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accepted, entry, receiptOf, sessionOf, spoken } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Journal, OutOfOrder, type StoredReceipt } from '../journal.ts';
import { openSqliteJournal } from './open-journal.ts';

const folder = temporaryFolder();

type Step =
  | { readonly kind: 'append'; readonly session: string; readonly events: number; readonly withReceipt: boolean }
  | { readonly kind: 'late'; readonly session: string }
  | { readonly kind: 'sync' }
  /** `abandoned`: the next journal is opened although the last one was not closed, as after a crash. */
  | { readonly kind: 'reopen'; readonly abandoned: boolean }
  | { readonly kind: 'forget'; readonly session: string };

const session = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('append' as const), session, events: fc.nat(3), withReceipt: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), session }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'sync' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), abandoned: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), session }) },
);

interface Model {
  readonly log: { session: SessionId; event: Event }[];
  readonly receipts: StoredReceipt[];
  commands: number;
}

test('over any order of appends, restarts and forgets, seq has no gaps, receipts stay, and since is complete', async () => {
  const steps = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (taken) => {
    const dataDir = folder.make();
    const opened = [openSqliteJournal({ dataDir })];
    const model: Model = { log: [], receipts: [], commands: 0 };
    for (const one of taken) {
      await take(opened, dataDir, model, one);
      compare(opened.at(-1)!, model);
    }
    for (const journal of opened) journal.close();
  });
  await fc.assert(steps, { seed: 20_261_115, numRuns: proofCount(60) });
});

async function take(opened: Journal[], dataDir: string, model: Model, one: Step): Promise<void> {
  const journal = opened.at(-1)!;
  switch (one.kind) {
    case 'append':
      return append(journal, model, sessionOf(one.session), one.events, one.withReceipt);
    case 'late':
      expect(() => journal.append(entry(sessionOf(one.session), journal.lastSeq(sessionOf(one.session)) + 1, [spoken('late')]))).toThrow(OutOfOrder);
      return;
    case 'sync':
      return journal.sync();
    case 'reopen':
      if (!one.abandoned) journal.close();
      opened.push(openSqliteJournal({ dataDir }));
      return;
    case 'forget':
      return forget(journal, model, sessionOf(one.session));
  }
}

function append(journal: Journal, model: Model, to: SessionId, events: number, withReceipt: boolean): void {
  const after = journal.lastSeq(to);
  const command = `c${model.commands++}`;
  const bodies = Array.from({ length: events }, (_, index) => (index === 0 ? accepted(command) : spoken(`${command}.${index}`)));
  const receipt = receiptOf(to, command, after + 1);
  const stored = journal.append({ ...entry(to, after, bodies), ...(withReceipt ? { receipt } : {}) });
  for (const event of stored) model.log.push({ session: to, event });
  if (withReceipt) model.receipts.push(receipt);
}

function forget(journal: Journal, model: Model, forgotten: SessionId): void {
  journal.forget(forgotten);
  model.log.splice(0, model.log.length, ...model.log.filter((one) => one.session !== forgotten));
  model.receipts.splice(0, model.receipts.length, ...model.receipts.filter((one) => one.sessionId !== forgotten));
}

function compare(journal: Journal, model: Model): void {
  const positioned = journal.since(0, 10_000);
  expect(positioned.map(({ session: of, event }) => ({ session: of, event }))).toEqual(model.log);
  expect(positioned.every((one, index) => index === 0 || one.position > positioned[index - 1]!.position)).toBe(true);
  for (const id of ['a', 'b', 'c'].map(sessionOf)) {
    const mine = model.log.filter((one) => one.session === id).map((one) => one.event);
    expect(journal.after(id, 0, 10_000)).toEqual(mine);
    expect(mine.map((event) => event.seq)).toEqual(mine.map((_, index) => index + 1));
  }
  for (const receipt of model.receipts) expect(journal.receipt(receipt.commandId)).toEqual(receipt);
}
