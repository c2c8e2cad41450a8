import { cp, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, launchChromium } from '../../test/support/browser/chromium.ts';
import { pastSessions, withPastSessions } from '../../test/support/replay/replay-index.ts';
import { openReplayServer } from '../../test/support/replay/replay-server.ts';
import { printTable, type Row } from '../relay/table.ts';
import { measureList } from './list.ts';
import { measureLong } from './long.ts';
import { sessions } from './sample-streams.ts';
import { measureStreams } from './streams.ts';

// npm run bench:web [-- --quick] [--minutes N]: the page in Chromium next to a page that only appends text, in one run. `--minutes` sets how long the memory test streams.
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, minutes: { type: 'string' } } });
const EVENTS = 50_000;
const SESSIONS = 10_000;

const rows: Row[] = [];
const say = (row: Row): void => {
  rows.push(row);
  process.stderr.write(`  ${row.what}: ${row.ours}${row.floor === '' ? '' : `, floor ${row.floor}`} (load ${loadavg()[0]?.toFixed(1)})\n`);
};

const found = findChromium();
if ('skip' in found) throw new Error(found.skip);
const webRoot = await mkdtemp(join(tmpdir(), 'signalbox-bench-web-'));
await cp(resolve(import.meta.dirname, '../../dist/web'), webRoot, { recursive: true });
for (const name of ['floor.html', 'floor.js']) await cp(join(import.meta.dirname, name), join(webRoot, name));
const replay = await openReplayServer(sessions(EVENTS), webRoot);
withPastSessions(replay, { sessions: pastSessions(SESSIONS) });
const browser = await launchChromium(found.path);
try {
  await measureLong({ browser, replay, say }, EVENTS, values.quick ? 15 : 31);
  await measureList({ browser, replay, say }, SESSIONS);
  await measureStreams({ browser, replay, say }, { seconds: values.quick ? 10 : 30, minutes: Number(values.minutes ?? (values.quick ? 0.5 : 30)) });
} finally {
  await browser.close();
  await replay.close();
  await rm(webRoot, { recursive: true, force: true });
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}, Chromium ${browser.version()}\n`,
);
printTable(rows);
process.exit(rows.some((row) => row.holds === false) ? 1 : 0);
