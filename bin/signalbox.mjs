#!/usr/bin/env node
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { keepYoungGenerationSmall } from './v8-flags.mjs';

const program = new URL('../dist/server/main.js', import.meta.url);

// Pressing Tab in a shell must not wait for the whole program.
const completion = new URL('../dist/server/complete.js', import.meta.url);

// Before the program is read: loading it lets the nursery grow too.
keepYoungGenerationSmall();

if (process.argv[2] === 'complete' && process.argv[3] === '--' && existsSync(completion)) {
  await import(completion.href);
} else if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('Signalbox is not built yet. Run `npm start` in its folder (or `npm run build`), then try again.\n');
  process.exitCode = 1;
}
