// The minimum cost of a full-text index: the same texts in a contentless FTS5 table, on one thread. Prints milliseconds and bytes of text.
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';

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
for (const text of textsIn(texts)) {
  row += 1;
  insert.run(row, text);
  if (row % BATCH === 0) db.exec('COMMIT; BEGIN');
}
db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
const ms = performance.now() - since;
const cpuMs = (process.cpuUsage().user + process.cpuUsage().system) / 1000;
db.close();
console.log(JSON.stringify({ ms, cpuMs, bytes, rows: row, size: statSync(path).size }));

/** Each text is preceded by its length, so nothing has to be parsed. */
function* textsIn(file) {
  const fd = openSync(file, 'r');
  const size = Buffer.alloc(4);
  let at = 0;
  while (readSync(fd, size, 0, 4, at) === 4) {
    const length = size.readUInt32LE(0);
    const text = Buffer.allocUnsafe(length);
    readSync(fd, text, 0, length, at + 4);
    at += 4 + length;
    bytes += length;
    yield text.toString('utf8');
  }
  closeSync(fd);
}
