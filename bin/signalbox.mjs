#!/usr/bin/env node
import './node-version.mjs';
import { existsSync } from 'node:fs';

const program = new URL('../dist/server/main.js', import.meta.url);

if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('Signalbox is not built yet. Run `npm start` in its folder (or `npm run build`), then try again.\n');
  process.exitCode = 1;
}
