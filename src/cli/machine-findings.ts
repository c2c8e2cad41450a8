import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Finding {
  /** good: as it should be; note: works, with less; bad: will not work. */
  readonly level: 'good' | 'note' | 'bad';
  readonly what: string;
  readonly detail: string;
}

const NODE_MINIMUM = [20, 19] as const;
/** Below this much free space a few long sessions fill the disk. */
const FREE_BYTES_WISHED = 1024 ** 3;
/** One watch a live session and a few for ourselves; below this other programs may use them up. */
const WATCHES_WISHED = 8192;
const MKFIFO_MS = 5000;

export function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1]);
  return {
    level: isNew ? 'good' : 'bad',
    what: 'node',
    detail: isNew ? process.version : `${process.version} is too old: ${NODE_MINIMUM.join('.')} or newer is needed`,
  };
}

export function folderFinding(dataDir: string): Finding {
  const what = 'data folder';
  if (!existsSync(dataDir)) return { level: 'good', what, detail: `${dataDir} (made at the first start)` };
  try {
    accessSync(dataDir, constants.W_OK);
  } catch {
    return { level: 'bad', what, detail: `${dataDir} cannot be written by this user` };
  }
  const isOpen = (statSync(dataDir).mode & 0o077) !== 0;
  return isOpen ? { level: 'bad', what, detail: `others may look into ${dataDir}: chmod 700 ${dataDir}` } : { level: 'good', what, detail: dataDir };
}

export async function diskFinding(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir));
  const free = bavail * bsize;
  return { level: free < FREE_BYTES_WISHED ? 'bad' : 'good', what: 'disk', detail: `${(free / 1024 ** 3).toFixed(1)} GB free` };
}

/** Agents are rung by FIFOs: some network and container file systems do not have them. */
export async function fifoFinding(dataDir: string): Promise<Finding> {
  const folder = mkdtempSync(join(existsSync(dataDir) ? dataDir : tmpdir(), 'fifo-check-'));
  try {
    await promisify(execFile)('mkfifo', [join(folder, 'bell')], { timeout: MKFIFO_MS });
    return { level: 'good', what: 'FIFOs', detail: 'work in the data folder' };
  } catch (error) {
    return {
      level: 'bad',
      what: 'FIFOs',
      detail: `cannot be made in the data folder (${error instanceof Error ? error.message.trim() : error}): put it on a local disk`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function inotifyFinding(): Finding {
  const watches = limitIn('max_user_watches');
  const instances = limitIn('max_user_instances');
  if (watches === undefined || instances === undefined)
    return { level: 'note', what: 'inotify', detail: 'not on this system: files are looked at once a second' };
  const detail = `${watches} watches, ${instances} instances`;
  return watches < WATCHES_WISHED
    ? {
        level: 'note',
        what: 'inotify',
        detail: `${detail}: raise fs.inotify.max_user_watches for many sessions; without watches files are looked at once a second`,
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
