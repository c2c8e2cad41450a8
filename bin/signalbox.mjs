#!/usr/bin/env node
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const program = new URL('../dist/server/main.js', import.meta.url);

// Left alone, V8 lets its nursery grow to 32 MB at the first flood of lines and never gives it back. The server's objects live
// for one batch of lines, which a few MB hold: measured, 12 instead of 35 MB more after 100,000 events. (docs/benchmarks.md)
setFlagsFromString('--semi-space-growth-factor=1');

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('Signalbox is not built yet. Run `npm start` in its folder (or `npm run build`), then try again.\n');
  process.exitCode = 1;
}
