import { readFileSync } from 'node:fs';
import { complete } from './complete.ts';

// `signalbox complete -- WORDS` of an installed package: bin/signalbox.mjs starts this instead of the whole program. The build writes commands.json.
const words = process.argv.slice(process.argv.indexOf('--') + 1);
process.stdout.write(await complete(process.env, JSON.parse(readFileSync(new URL('./commands.json', import.meta.url), 'utf8')), words));
