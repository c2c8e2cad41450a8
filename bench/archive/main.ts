import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { claudeCode } from '../../src/agents/claude-code/index.ts';
import { archivedIdOf } from '../../src/agents/port/archived-id.ts';

import { api } from '../../test/support/client.ts';
import { startServer, type TestServer } from '../../test/support/real-server.ts';
import { type SampleRecords, writeSampleRecords } from '../../test/support/sample-records/write-records.ts';
import { rssMb } from '../relay/processes.ts';
import { printTable, type Row } from '../relay/table.ts';
import { type IndexFloor, indexFloor, parseFloor, ripgrep } from './floors.ts';
import { measureLive } from './live.ts';
import { megabytes, ms, quantile, seconds, times } from './measure.ts';
import { measureSweep } from './sweep.ts';
import { writeTexts } from './texts.ts';

// npm run bench -- archive [--quick]: past sessions from generated records, next to their floors, in one run.
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const MB = 2 ** 20;
const PLAN = values.quick
  ? { sessions: 200, sessionBytes: 0.45 * MB, longestBytes: 10 * MB }
  : { sessions: 2000, sessionBytes: 0.46 * MB, longestBytes: 100 * MB };
/** The index uses the same. */
const TOKENIZER = 'unicode61 remove_diacritics 0';
const PLANTED = 'xylophonquartz';
/** Idle threads release memory within this. */
const REST_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-archive-'));
const rows: Row[] = [];
const say = (row: Row): void => {
  rows.push(row);
  process.stderr.write(`  ${row.what}: ${row.ours}${row.floor === '' ? '' : `, floor ${row.floor}`}\n`);
};

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, Node ${process.versions.node}\n`);
printTable(rows);
process.exit(rows.some((row) => row.holds === false) ? 1 : 0);

async function measure(): Promise<void> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const vault = writeSampleRecords({ home, seed: 7, planted: PLANTED, ...PLAN });
  process.stderr.write(`${vault.files.length} sessions, ${megabytes(vault.bytes)} (load ${loadavg()[0]?.toFixed(1)})\n`);
  const list = join(folder, 'files.json');
  const texts = join(folder, 'texts.ndjson');
  writeFileSync(list, JSON.stringify(vault.files));
  writeTexts(vault.files, texts);
  const parsed = await parseFloor(list);
  const before = await indexFloor(texts, join(folder, 'floor.db'), TOKENIZER);
  const server = await startServer({ from: 'dist', env: { HOME: home, SIGNALBOX_LOG: 'warn' } });
  try {
    const reading = await measureReading(server, vault);
    const indexed = await between(before, texts);
    reportReading(reading, parsed.ms, indexed);
    // After that, all records are copied and index segments are merged; this costs something only in the first hour.
    const size = await settledBytes(server.data);
    await measureAnswers(server, vault, join(home, '.claude'));
    say({
      what: 'index size on disk, relative to the text',
      ours: `${megabytes(size)} (${(size / indexed.bytes).toFixed(2)}×)`,
      floor: megabytes(indexed.bytes),
      target: '≤ 0.5×',
      holds: size <= indexed.bytes * 0.5,
    });
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const { resting, highest } = memoryOf(server.pid);
    say({
      what: 'server memory afterwards (RSS)',
      ours: `${resting.toFixed(0)} MB (highest ${highest.toFixed(0)})`,
      floor: '',
      target: '≤ 250 MB',
      holds: resting <= 250,
    });
    await server.stop();
    const sweep = measureSweep(server.data, home, vault.files);
    say({
      what: 'sweep of all records when nothing changed',
      ours: `${ms(sweep.ours)} (${(sweep.ours / sweep.floor).toFixed(1)}×)`,
      floor: `stat: ${ms(sweep.floor)}`,
      target: '≤ 5×',
      holds: sweep.ours <= sweep.floor * 5,
    });
  } finally {
    await server.close();
  }
  say(await measureLive(join(home, '.claude/projects'), join(folder, 'live')));
}

/** The floor is measured before and after ours, because the load on a shared machine changes. */
async function between(before: IndexFloor, texts: string): Promise<IndexFloor> {
  const after = await indexFloor(texts, join(folder, 'floor.db'), TOKENIZER);
  rmSync(texts);
  process.stderr.write(`  bare FTS5: ${seconds(before.ms)} before, ${seconds(after.ms)} after (load ${loadavg()[0]?.toFixed(1)})\n`);
  return { ...before, ms: (before.ms + after.ms) / 2 };
}

interface Progress {
  readonly phase: string;
  readonly sessions: { readonly total: number };
}

/** Also measures how fast the server answers meanwhile: nobody should have to wait for indexing. */
async function measureReading(server: TestServer, vault: SampleRecords): Promise<Reading> {
  const since = performance.now();
  let listedMs: number | undefined;
  const listTimes: number[] = [];
  for (let isReady = false; !isReady; ) {
    const startedAt = performance.now();
    const page = (await api<{ sessions: unknown[] }>(server, 'GET', '/api/sessions?limit=1')).body;
    listTimes.push(performance.now() - startedAt);
    const progress = (await api<Progress>(server, 'GET', '/api/index')).body;
    if (listedMs === undefined && page.sessions.length > 0 && (await isListed(server, vault.files.length))) listedMs = performance.now() - since;
    isReady = progress.phase === 'ready';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const readMs = performance.now() - since;
  return { listed: listedMs ?? readMs, readMs, listTimes: listTimes.sort((a, b) => a - b) };
}

interface Reading {
  readonly listed: number;
  readonly readMs: number;
  readonly listTimes: readonly number[];
}

function reportReading({ listed, readMs, listTimes }: Reading, parseMs: number, floor: { readonly ms: number }): void {
  say({
    what: 'the list is complete',
    ours: `${seconds(listed)} (${(listed / parseMs).toFixed(2)}×)`,
    floor: `read and parse: ${seconds(parseMs)}`,
    target: '≤ 2×',
    holds: listed <= parseMs * 2,
  });
  say({
    what: 'everything can be searched',
    ours: `${seconds(readMs)} (${(readMs / floor.ms).toFixed(2)}×)`,
    floor: `bare FTS5: ${seconds(floor.ms)}`,
    target: '≤ 1.3×',
    holds: readMs <= floor.ms * 1.3,
  });
  say({
    what: 'first page of the list during indexing, p50 / p99',
    ours: `${ms(quantile(listTimes, 0.5))} / ${ms(quantile(listTimes, 0.99))}`,
    floor: '',
    target: '',
  });
}

async function isListed(server: TestServer, count: number): Promise<boolean> {
  const { projects } = (await api<{ projects: { sessions: number }[] }>(server, 'GET', '/api/projects')).body;
  return projects.reduce((sum, { sessions }) => sum + sessions, 0) >= count;
}

async function measureAnswers(server: TestServer, vault: SampleRecords, records: string): Promise<void> {
  const search = (q: string) => api(server, 'GET', `/api/search?q=${encodeURIComponent(q)}`);
  await search('warm');
  const words = Array.from({ length: 200 }, (_, index) => vault.words.ranked(Math.floor(60_000 ** (index / 200)) - 1));
  const any = await times(words.length, (index) => search(words[index] ?? ''));
  say({
    what: 'search for any word, p50 / p99',
    ours: `${ms(quantile(any, 0.5))} / ${ms(quantile(any, 0.99))}`,
    floor: '',
    target: 'p99 ≤ 50 ms',
    holds: quantile(any, 0.99) <= 50,
  });
  const rare = quantile(await times(20, () => search(PLANTED)), 0.5);
  const grep = await ripgrep(PLANTED, records);
  const floor = grep === undefined ? {} : { holds: grep >= rare * 10 };
  say({
    what: 'search for a word in the oldest line of the longest session',
    ours: ms(rare),
    floor: grep === undefined ? 'ripgrep is not installed' : `ripgrep: ${ms(grep)}`,
    target: '≥ 10× faster',
    ...floor,
  });
  const lists = await times(300, () => api(server, 'GET', '/api/sessions?limit=60'));
  say({
    what: 'first page of the list (60, as the page requests), p50 / p99',
    ours: `${ms(quantile(lists, 0.5))} / ${ms(quantile(lists, 0.99))}`,
    floor: '',
    target: 'p99 ≤ 20 ms',
    holds: quantile(lists, 0.99) <= 20,
  });
  const long = await times(300, () => api(server, 'GET', '/api/sessions?limit=200'));
  say({ what: 'another page of 200, p50 / p99', ours: `${ms(quantile(long, 0.5))} / ${ms(quantile(long, 0.99))}`, floor: '', target: '' });
  const id = archivedIdOf(claudeCode.id, vault.longest);
  const screens = await times(50, () => api(server, 'GET', `/api/sessions/${id}/events?before=1000000000&limit=200`));
  say({
    what: `first screen of a session of ${megabytes(PLAN.longestBytes)}, p50 / p99`,
    ours: `${ms(quantile(screens, 0.5))} / ${ms(quantile(screens, 0.99))}`,
    floor: '',
    target: '≤ 20 ms',
    holds: quantile(screens, 0.5) <= 20,
  });
}

/** The size including write-ahead logs, once merging and copying are done. */
async function settledBytes(data: string): Promise<number> {
  const all = () => databaseBytes(data) + keptBytes(join(data, 'kept'));
  for (let before = all(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const now = all();
    if (now === before) return databaseBytes(data);
    before = now;
  }
}

function keptBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

function databaseBytes(data: string): number {
  const names = readdirSync(data).filter((name) => /^(archive|library|views)\.db/.test(name));
  return names.reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
}

function memoryOf(pid: number): { readonly resting: number; readonly highest: number } {
  const highest = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { resting: rssMb(pid), highest: Number(highest) / 1024 };
}
