import { writeSync } from 'node:fs';
import { openSqliteJournal } from '../../../src/journal/sqlite/open-journal.ts';
import { accepted, entry, receiptOf, sessionOf, spoken } from './samples.ts';

// Appends to three sessions until it is killed. Prints `<session> <command> <seq>` for each command once it is synced.
const [dataDir = '', prefix = ''] = process.argv.slice(2);
const journal = openSqliteJournal({ dataDir });

for (let count = 0; ; count++) {
  const session = sessionOf(`s${count % 3}`);
  const command = `${prefix}-${count}`;
  const [first] = journal.append({
    ...entry(session, journal.lastSeq(session), [accepted(command), spoken('x'.repeat((count * 997) % 9_000))]),
    receipt: receiptOf(session, command, journal.lastSeq(session) + 1),
  });
  journal.append(entry(session, journal.lastSeq(session), [spoken('not waited for')]));
  await journal.sync();
  writeSync(1, `${session} ${command} ${first?.seq}\n`);
}
