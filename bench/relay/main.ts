import { cpus, loadavg, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFlood } from './flood.ts';
import { measureIdle } from './idle.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measureRestart } from './restart.ts';
import { measureScale } from './scale.ts';
import { measureStalled } from './stalled.ts';
import { printTable, type Row } from './table.ts';

// npm run bench [-- --only latency,flood] [--quick]: the relay next to its floor, in one run.
const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 1 : 5;

const PARTS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  latency: async () => [...(await measureLatency(1, 2 * rounds)), ...(await measureLatency(10, 2 * rounds))],
  flood: () => measureFlood(values.quick ? 50_000 : 200_000, rounds),
  scale: () => measureScale(values.quick ? 10 : 30),
  memory: () => measureMemory(),
  stalled: () => measureStalled(values.quick ? 100_000 : 300_000, rounds),
  idle: () => measureIdle(),
  restart: () => measureRestart(rounds + 2),
};

const chosen = values.only?.split(',') ?? Object.keys(PARTS);
const rows: Row[] = [];
for (const name of chosen) {
  process.stderr.write(`${name} … (load ${loadavg()[0]?.toFixed(1)})\n`);
  const found = (await PARTS[name]?.()) ?? [];
  rows.push(...found);
  for (const row of found) process.stderr.write(`  ${row.what}: ${row.ours}${row.floor === '' ? '' : `, floor ${row.floor}`}\n`);
}
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}\n`);
printTable(rows);
process.exit(rows.some((row) => row.holds === false) ? 1 : 0);
