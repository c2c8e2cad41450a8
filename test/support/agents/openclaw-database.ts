import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, openDatabase } from '../../../src/journal/sqlite-driver.ts';

/** A conversation as OpenClaw 2026.9.6 stores it; lines from `packedFrom` on are compressed, as OpenClaw does with large ones. */
export interface OpenclawConversation {
  readonly id: string;
  readonly lines: readonly string[];
  readonly packedFrom?: number;
}

/** The recorded rows of one conversation through the Gateway, and of one on the command line. */
export const OPENCLAW_RECORDED: readonly OpenclawConversation[] = ['2026.9.6-gateway', '2026.9.6-local'].map((name) => {
  const file = join(import.meta.dirname, '../../../src/agents/openclaw/recordings', `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return { id: (JSON.parse(lines[0] ?? '{}') as { id: string }).id, lines };
});

/** Creates the database, or adds to it: existing rows of a conversation stay unchanged. */
export function writeOpenclawDatabase(path: string, conversations: readonly OpenclawConversation[]): void {
  const db = openDatabase(path);
  try {
    db.exec(TABLES);
    const insert = db.prepare(
      'INSERT OR IGNORE INTO transcript_events (session_id, seq, event_json, created_at, event_zstd, event_utf8_bytes) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const { id, lines, packedFrom = lines.length } of conversations) {
      for (const [seq, line] of lines.entries()) {
        const isPacked = seq >= packedFrom;
        insert.run(id, seq, isPacked ? null : line, 1_794_705_939_784 + seq, isPacked ? packed(line) : null, isPacked ? Buffer.byteLength(line) : null);
      }
    }
  } finally {
    closeDatabase(db);
  }
}

/** Only what we read; the original has more constraints and more tables. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS transcript_events (
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event_json TEXT,
    created_at INTEGER NOT NULL,
    event_zstd BLOB,
    event_utf8_bytes INTEGER CHECK (event_utf8_bytes IS NULL OR event_utf8_bytes >= 0),
    navigation_json TEXT,
    PRIMARY KEY (session_id, seq)
  ) STRICT`;

const BLOCK_BYTES = 128 * 1024;

/** A zstd frame with uncompressed blocks: valid, and made without a library. */
function packed(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const blocks: Buffer[] = [];
  for (let from = 0; from < bytes.length || blocks.length === 0; from += BLOCK_BYTES) {
    const block = bytes.subarray(from, from + BLOCK_BYTES);
    const header = Buffer.alloc(4);
    header.writeUInt32LE((block.length << 3) | (from + BLOCK_BYTES >= bytes.length ? 1 : 0));
    blocks.push(header.subarray(0, 3), block);
  }
  // The magic number; then: single segment, size in four bytes, no checksum.
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, ...blocks]);
}
