import { type WholeText, wholeEvent } from '../../domain/search/whole.ts';
import { type Database, intOf } from '../../journal/sqlite/sqlite-driver.ts';
import type { PartWriter } from '../store/index-part.ts';
import { Batch } from './batch.ts';
import { tidy } from './merge-segments.ts';
import { facetOf } from './row-facts.ts';
import { type SearchStatements, searchStatements } from './search-sql.ts';
import { InTransaction } from './transaction-state.ts';

export function searchWriter(db: Database, blob: WholeText): PartWriter {
  const sql = searchStatements(db);
  let within = new InTransaction(sql);
  return {
    take: (session, events, _spent, texts) =>
      new Batch(sql, within, session).take(
        events.map((event) => wholeEvent(event, blob)),
        texts,
      ),
    describe: (session) => new Batch(sql, within, session).describe(),
    ending: () => within.words.write(),
    ended: () => {
      within = new InTransaction(sql);
    },
    forget: (session) => forget(sql, within, session),
    clear: () => clear(db),
    tidy: () => tidy(sql),
  };
}

function forget(sql: SearchStatements, within: InTransaction, session: number): void {
  within.words.write();
  for (const row of sql.docsOf.all(`"${facetOf.session(session)}"`)) within.dropRow(intOf(row, 'id'));
  for (const statement of sql.forget) statement.run(session);
}

function clear(db: Database): void {
  const tables = ['docs', 'names', 'placed', 'calls', 'slots', 'touches'].map((table) => `DELETE FROM ${table}`);
  db.exec(`INSERT INTO words (words) VALUES ('delete-all'); ${tables.join(';')}; UPDATE spill SET slices = 0`);
}
