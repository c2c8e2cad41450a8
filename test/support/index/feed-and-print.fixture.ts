import { readSync, writeSync } from 'node:fs';
import { writerAt } from './index-samples.ts';
import { feedSamples } from './sample-feed.ts';

/** Steps after which it waits for the kill that was asked for: a parent that reads late must not find it finished. */
const AHEAD = 3;

// Feeds an index from its cursors, and prints a line after each step. To be killed after as many steps as its second argument says.
const last = Number(process.argv[3]) + AHEAD;
const writer = writerAt(process.argv[2] ?? '');
let steps = 0;
feedSamples(writer, step);
while (writer.tidy()) step();
writer.close();

function step(): void {
  writeSync(1, 'step\n');
  if (++steps === last) readSync(0, Buffer.alloc(1));
}
