import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import satisfies from 'semver/functions/satisfies.js';

export interface Finding {
  /** good: as it should be; note: works with limits; bad: won't work. */
  readonly level: 'good' | 'note' | 'bad';
  readonly what: string;
  readonly detail: string;
}

const NODE_MINIMUM = '20.19';
/** With less free space, a few long sessions fill the disk. */
const MIN_FREE_BYTES = 1024 ** 3;
/** Each live session takes one watch. With fewer in total, other programs may use them up. */
const MIN_WATCHES = 8192;
const MKFIFO_MS = 5000;

export function nodeFinding(): Finding {
  const isNew = satisfies(process.versions.node, `>=${NODE_MINIMUM}`, { includePrerelease: true });
  return {
    level: isNew ? 'good' : 'bad',
    what: 'node',
    detail: isNew ? process.version : `${process.version} is too old: install ${NODE_MINIMUM} or newer`,
  };
}

export function folderFinding(dataDir: string): Finding {
  const what = 'data folder';
  if (!existsSync(dataDir)) return { level: 'good', what, detail: `${dataDir} (created on first start)` };
  try {
    accessSync(dataDir, constants.W_OK);
  } catch {
    return { level: 'bad', what, detail: `${dataDir} is not writable by this user: change its owner or pass --data` };
  }
  const isOpen = (statSync(dataDir).mode & 0o077) !== 0;
  return isOpen ? { level: 'bad', what, detail: `other users can read ${dataDir}: run chmod 700 ${dataDir}` } : { level: 'good', what, detail: dataDir };
}

export async function diskFinding(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const free = bavail * bsize;
  return { level: free < MIN_FREE_BYTES ? 'bad' : 'good', what: 'disk', detail: `${(free / 1024 ** 3).toFixed(1)} GB free` };
}

/** FIFOs wake agents when there is input; some network and container file systems don't support them. */
export async function fifoFinding(dataDir: string): Promise<Finding> {
  const folder = mkdtempSync(join(existsSync(dataDir) ? dataDir : tmpdir(), 'fifo-check-'));
  try {
    await promisify(execFile)('mkfifo', [join(folder, 'bell')], { timeout: MKFIFO_MS });
    return { level: 'good', what: 'FIFOs', detail: 'supported in the data folder' };
  } catch (error) {
    return {
      level: 'bad',
      what: 'FIFOs',
      detail: `not supported in the data folder (${error instanceof Error ? error.message.trim() : error}): move the data folder to a local disk`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function inotifyFinding(): Finding {
  const watches = limitIn('max_user_watches');
  const instances = limitIn('max_user_instances');
  if (watches === undefined || instances === undefined)
    return { level: 'note', what: 'inotify', detail: 'not available on this system: files are checked once a second' };
  const detail = `${watches} watches, ${instances} instances`;
  return watches < MIN_WATCHES
    ? {
        level: 'note',
        what: 'inotify',
        detail: `${detail}: raise fs.inotify.max_user_watches if you run many sessions; without watches, files are checked once a second`,
      }
    : { level: 'good', what: 'inotify', detail };
}

function limitIn(name: string): number | undefined {
  const file = `/proc/sys/fs/inotify/${name}`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
