import { appendFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../../../src/archive/keep/lines.ts';
import { openKeeper } from '../../../src/archive/keep/open-keeper.ts';
import { seenRecord } from '../../../src/archive/keep/seen-record.ts';
import { seeded } from '../seeded.ts';

// Lets three records grow and be replaced, and copies them, for ever; says when each step begins. To be killed.
const [dataDir = '', root = '', seed = '0'] = process.argv.slice(2);
const chance = seeded(Number(seed));
const keeper = openKeeper({ dataDir, roots: () => [root], mayWrite: () => true, now: () => Number.MAX_SAFE_INTEGER });

const FILES = 3;
/** Of the record that this life wrote at each path; no life gives a number that another gave. */
const numbers = new Map<number, number>();
let lastNumber = Number(seed) * 1_000_000;

for (;;) {
  const index = Math.floor(chance() * FILES);
  const path = join(root, `${index}.jsonl`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isReplaced = chance() < 0.15;
  const key = (isReplaced ? undefined : numbers.get(index)) ?? ++lastNumber;
  const text = linesOf(3_000_000, String(key));
  if (numbers.get(index) !== key) {
    numbers.set(index, key);
    rmSync(path, { force: true });
    writeFileSync(path, text.slice(0, Math.floor(chance() * 2_000_000)));
  } else appendFileSync(path, text.slice(size, size + Math.floor(chance() * 300_000)));
  keeper.seen(seenRecord(root, `${index}.jsonl`, key));
  do writeSync(1, `${key} ${path}\n`);
  while (keeper.step());
}
