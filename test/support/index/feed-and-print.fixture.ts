import { readSync, writeSync } from 'node:fs';
import { writerAt } from './index-samples.ts';
import { feedSamples } from './sample-feed.ts';

/** How many steps after the requested one it stops and waits for the kill, so that it isn't finished when a slow parent kills it. */
const AHEAD = 3;

// Feeds an index from its cursors and prints a line after each step. The parent kills it after the number of steps in the second argument.
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
