import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Keeper, KeeperOptions } from '../../../src/archive/keep/keep.ts';
import { openKeeper } from '../../../src/archive/keep/open-keeper.ts';
import { seenRecord } from './seen-record.ts';

/** A folder of an agent's records, a data folder, and a keeper whose clock only moves when the test sets it. */
export interface KeeperSetup {
  readonly root: string;
  readonly dataDir: string;
  readonly clock: { now: number };
  mayWrite: boolean;
  keeper: Keeper;
  /** Writes a record, or appends to an existing one, as its CLI would. */
  write(path: string, text: string | Buffer): string;
  /** Without `session`, the record is its own session. */
  see(path: string, number: number, more?: { readonly session?: string; readonly companion?: string }): void;
  /** Steps until nothing is due. */
  drain(): void;
  /** Like another server that starts with the same folders. */
  reopen(): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function createKeeperSetup(): KeeperSetup {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-keep-')));
  const root = join(folder, 'agent');
  mkdirSync(root);
  const clock = { now: Date.now() + DAY_MS };
  const options: KeeperOptions = { dataDir: join(folder, 'data'), roots: () => [root], mayWrite: () => bench.mayWrite, now: () => clock.now };
  const bench: KeeperSetup = {
    root,
    dataDir: options.dataDir,
    clock,
    mayWrite: true,
    keeper: openKeeper(options),
    write: (path, text) => write(join(root, path), text),
    see: (path, number, more) => bench.keeper.seen(seenRecord(root, path, number, more)),
    drain: () => {
      while (bench.keeper.step());
    },
    reopen: () => {
      bench.keeper.close();
      bench.keeper = openKeeper(options);
    },
  };
  onTestFinished(() => {
    bench.keeper.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return bench;
}

function write(path: string, text: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, text);
  return path;
}

/** Replaces a file like programs that rewrite it: another file under the same name. */
export function replace(path: string, text: string, mtime = new Date()): void {
  rmSync(path);
  writeFileSync(path, text);
  utimesSync(path, mtime, mtime);
}
