import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureFlood } from './flood.ts';
import { measureLatency } from './latency.ts';
import { printTable, type Row } from './table.ts';

// npm run bench [-- --only latency,flood] [--quick]: the relay beside its floor, in one run.
const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 1 : 5;

const PARTS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  latency: async () => [...(await measureLatency(1, rounds)), ...(await measureLatency(10, rounds))],
  flood: () => measureFlood(values.quick ? 50_000 : 200_000, rounds),
};

const chosen = values.only?.split(',') ?? Object.keys(PARTS);
const rows: Row[] = [];
for (const name of chosen) {
  process.stderr.write(`${name} …\n`);
  rows.push(...((await PARTS[name]?.()) ?? []));
}
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}\n`);
printTable(rows);
process.exit(0);
