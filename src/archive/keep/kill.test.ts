import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { linesOf } from '../../../test/support/archive/sample-lines.ts';
import { seenRecord } from '../../../test/support/archive/seen-record.ts';
import { bundle } from '../../../test/support/bundle.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { intOf, openDatabase } from '../../journal/sqlite-driver.ts';
import { openKeeper } from './open-keeper.ts';
import { keptDatabase, segmentsFolder } from './store.ts';

const child = bundle('test/support/archive/keep-until-killed.fixture.ts');

const LIVES = 8;

test('[R225] after SIGKILL at any moment everything indexed can be read, no partial segment counts, and copying continues', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder('keep-kill');
  const [dataDir, root] = [join(folder, 'data'), join(folder, 'agent')];
  mkdirSync(root);
  const chance = seeded(4711);
  for (let life = 1; life <= LIVES; life++) {
    const seen = await liveUntil(dataDir, root, life, 5 + Math.floor(chance() * 60));
    check(dataDir, root, seen);
  }
});

/** Paths by reported number, in order of time. */
type Seen = ReadonlyMap<number, string>;

async function liveUntil(dataDir: string, root: string, life: number, steps: number): Promise<Seen> {
  const keeper = spawn(process.execPath, [child, dataDir, root, String(life)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(keeper, 'exit');
  const seen = new Map<number, string>();
  let received = 0;
  for await (const line of createInterface({ input: keeper.stdout })) {
    const [key = '', path = ''] = line.split(' ');
    seen.set(Number(key), path);
    if (++received === steps) keeper.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return seen;
}

function check(dataDir: string, root: string, seen: Seen): void {
  const keeper = openKeeper({ dataDir, roots: () => [root], mayWrite: () => true, now: () => Number.MAX_SAFE_INTEGER });
  expect(keeper.state().problem).toBeUndefined();
  for (const [key, path] of seen) {
    const copy = keeper.open({ key, path });
    const expected = linesOf(3_000_000, String(key)).slice(0, copy?.size ?? 0);
    expect(copy?.read(0, copy.size).toString() === (copy && expected)).toBe(true);
  }
  for (const [key, path] of newestOf(seen)) keeper.seen(seenRecord(root, basename(path), key));
  while (keeper.step());
  for (const [key, path] of newestOf(seen)) {
    const copy = keeper.open({ key, path });
    expect(copy?.read(0, copy.size).equals(readFileSync(path))).toBe(true);
  }
  keeper.close();
  checkSegments(dataDir);
}

const newestOf = (seen: Seen): Seen => new Map([...new Map([...seen].map(([key, path]) => [path, key]))].map(([path, key]) => [key, path]));

/** The folder contains exactly what the index references, with the sizes it states. */
function checkSegments(dataDir: string): void {
  const db = openDatabase(keptDatabase(dataDir));
  const named = db
    .prepare('SELECT DISTINCT sha FROM pieces')
    .all()
    .map((row) => `${row.sha}.br`);
  const [totals] = db.prepare('SELECT * FROM totals').all();
  const raw = db.prepare('SELECT sum(bytes) AS raw FROM pieces').get();
  db.close();
  const files = readdirSync(segmentsFolder(dataDir), { recursive: true })
    .map(String)
    .filter((name) => name.includes('/'));
  expect(files.map((name) => name.slice(3)).sort()).toEqual(named.sort());
  expect(intOf(totals!, 'bytes')).toBe(files.reduce((sum, name) => sum + statSync(join(segmentsFolder(dataDir), name)).size, 0));
  expect(intOf(totals!, 'raw_bytes')).toBe(intOf(raw!, 'raw'));
}
