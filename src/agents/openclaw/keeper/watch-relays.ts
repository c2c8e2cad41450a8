import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { openRelay, type RelayConnection, type RelayEvents } from './relay-connection.ts';

/** A watch may lose a wake-up; the sweep is part of correctness. */
const SWEEP_MS = 1000;

export interface RelayWatcher {
  /** Looks now; returns how many are open. */
  look(): number;
  close(): void;
}

/** Connects to every running relay that announces itself in the folder; `enter` sets who gets its lines. */
export function watchRelays(folder: string, enter: (open: (events: RelayEvents) => RelayConnection) => void): RelayWatcher {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const open = new Map<string, { readonly pid: number; left(): void }>();
  const look = (): number => {
    const names = announced(folder);
    for (const name of open.keys()) if (!names.includes(name)) open.delete(name);
    // Nothing else reports a relay that was killed while it waited to open its FIFOs.
    for (const { pid, left } of open.values()) if (!isAlive(pid)) left();
    for (const name of names) {
      const pid = pidIn(join(folder, `${name}.door`));
      if (open.has(name)) continue;
      if (!isAlive(pid)) forget(folder, name);
      else tryAgainLater(() => enter((events) => opened(name, pid, events)));
    }
    return open.size;
  };
  const opened = (name: string, pid: number, events: RelayEvents): RelayConnection => {
    const relay = openRelay(join(folder, name), name, events);
    open.set(name, { pid, left: events.left });
    return relay;
  };
  const watcher = watched(folder, look);
  const sweep = setInterval(look, SWEEP_MS);
  return {
    look,
    close: () => {
      clearInterval(sweep);
      watcher?.close();
    },
  };
}

/** One relay that can't be opened must not block the others: the next look tries again. */
function tryAgainLater(enter: () => void): void {
  try {
    enter();
  } catch {
    // Its relay is gone, or there are too many open files.
  }
}

function announced(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.door') ? [file.slice(0, -'.door'.length)] : []));
  } catch {
    return []; // the folder was removed
  }
}

function watched(folder: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(folder, look).on('error', () => undefined);
  } catch {
    return undefined; // too many watches on this machine; the sweep still works
  }
}

function pidIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 1 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Removes files of relays that no longer run. */
function forget(folder: string, name: string): void {
  for (const end of ['up', 'down', 'door']) rmSync(join(folder, `${name}.${end}`), { force: true });
}
