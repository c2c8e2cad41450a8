import { appendFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openKeeper } from '../../../src/archive/keep/open-keeper.ts';
import { seeded } from '../seeded.ts';
import { linesOf } from './sample-lines.ts';
import { seenRecord } from './seen-record.ts';

// Grows and replaces three records and copies them, until it is killed. Prints a line when each step starts.
const [dataDir = '', root = '', seed = '0'] = process.argv.slice(2);
const random = seeded(Number(seed));
const keeper = openKeeper({ dataDir, roots: () => [root], mayWrite: () => true, now: () => Number.MAX_SAFE_INTEGER });

const FILES = 3;
/** The number of the record that this process wrote at each path. No number is used by two processes. */
const numbers = new Map<number, number>();
let lastNumber = Number(seed) * 1_000_000;

for (;;) {
  const index = Math.floor(random() * FILES);
  const path = join(root, `${index}.jsonl`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const isReplaced = random() < 0.15;
  const key = (isReplaced ? undefined : numbers.get(index)) ?? ++lastNumber;
  const text = linesOf(3_000_000, String(key));
  if (numbers.get(index) !== key) {
    numbers.set(index, key);
    rmSync(path, { force: true });
    writeFileSync(path, text.slice(0, Math.floor(random() * 2_000_000)));
  } else appendFileSync(path, text.slice(size, size + Math.floor(random() * 300_000)));
  keeper.seen(seenRecord(root, `${index}.jsonl`, key));
  do writeSync(1, `${key} ${path}\n`);
  while (keeper.step());
}
