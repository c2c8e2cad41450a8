import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type Door, type DoorEvents, openDoor } from './door.ts';

/** A watch may lose a wake-up; the sweep is part of correctness. */
const SWEEP_MS = 1000;

export interface Doors {
  /** Looks now; how many are open. */
  look(): number;
  close(): void;
}

/** Opens every door that a living relay announces in the folder; `enter` says who hears it. */
export function watchDoors(folder: string, enter: (open: (events: DoorEvents) => Door) => void): Doors {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const open = new Map<string, { readonly pid: number; left(): void }>();
  const look = (): number => {
    const names = announced(folder);
    for (const name of open.keys()) if (!names.includes(name)) open.delete(name);
    // A relay that was killed while it still waited to open its ends is told by nothing else.
    for (const { pid, left } of open.values()) if (!isAlive(pid)) left();
    for (const name of names) {
      const pid = pidIn(join(folder, `${name}.door`));
      if (open.has(name)) continue;
      if (!isAlive(pid)) forget(folder, name);
      else tryAgainLater(() => enter((events) => opened(name, pid, events)));
    }
    return open.size;
  };
  const opened = (name: string, pid: number, events: DoorEvents): Door => {
    const door = openDoor(join(folder, name), name, events);
    open.set(name, { pid, left: events.left });
    return door;
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

/** A door that cannot be opened just now must not shut all others: the next look tries again. */
function tryAgainLater(enter: () => void): void {
  try {
    enter();
  } catch {
    // Its relay has gone, or there is no room for one more.
  }
}

function announced(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.door') ? [file.slice(0, -'.door'.length)] : []));
  } catch {
    return []; // cleaned away
  }
}

function watched(folder: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(folder, look).on('error', () => undefined);
  } catch {
    return undefined; // too many watches on this machine; the sweep does it
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

/** What relays of another time left behind. */
function forget(folder: string, name: string): void {
  for (const end of ['up', 'down', 'door']) rmSync(join(folder, `${name}.${end}`), { force: true });
}
