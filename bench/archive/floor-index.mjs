// The least that a full-text index can cost: the same texts into FTS5 without their content, on one thread. Prints milliseconds and bytes of text.
import { createReadStream, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');
const [texts, path, tokenizer] = process.argv.slice(2);
const BATCH = 10_000;

rmSync(path, { force: true });
const db = new DatabaseSync(path);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
db.exec(`CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize="${tokenizer}")`);
const insert = db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
let row = 0;
let bytes = 0;
const since = performance.now();
db.exec('BEGIN');
for await (const line of createInterface({ input: createReadStream(texts) })) {
  const text = JSON.parse(line);
  row += 1;
  bytes += Buffer.byteLength(text);
  insert.run(row, text);
  if (row % BATCH === 0) db.exec('COMMIT; BEGIN');
}
db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
const ms = performance.now() - since;
db.close();
console.log(JSON.stringify({ ms, bytes, rows: row, size: statSync(path).size }));
