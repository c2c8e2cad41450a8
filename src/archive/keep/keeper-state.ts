import { lstatSync } from 'node:fs';
import type { SeenRows } from '../keeper-port.ts';
import { type CopyQueue, createCopyQueue } from './copy-queue.ts';
import type { KeeperOptions } from './keep.ts';
import type { KeptFile, Wanted } from './kept-index.ts';
import { SEGMENT_FOLDERS } from './segments.ts';
import type { Store } from './store.ts';

export interface Task {
  readonly wanted: Wanted;
  /** For a conversation in a database. */
  readonly source?: SeenRows;
}

/** The keeper's state in memory. */
export interface KeeperState {
  readonly store: Store;
  readonly options: KeeperOptions;
  readonly due: CopyQueue<Task>;
  /** The newest copy of each file. */
  readonly known: Map<string, Known>;
  readonly forgotten: Set<string>;
  /** Copies whose file must be checked: does it exist, and is it unchanged? */
  unseen: string[];
  /** Segment folders that still have to be cleaned. */
  foldersLeft: number;
  on: boolean;
  problem: string | undefined;
  /** After a disk failure nothing is tried before this time. */
  pausedUntil: number;
}

export interface Known {
  readonly file: KeptFile;
  readonly number: number | undefined;
}

export function stateOf(store: Store, options: KeeperOptions): KeeperState {
  const files = store.index.allCurrent();
  const numbers = store.index.numbers();
  return {
    store,
    options,
    due: createCopyQueue(),
    known: new Map(files.map((file) => [idOf(file), { file, number: numbers.get(file.key) }])),
    forgotten: new Set(store.index.forgotten()),
    unseen: files.map(idOf),
    foldersLeft: SEGMENT_FOLDERS,
    on: store.index.totals().on,
    problem: undefined,
    pausedUntil: 0,
  };
}

export const idOf = ({ path, conversation }: Pick<Wanted, 'path' | 'conversation'>): string => `${path}\n${conversation}`;

export function remember(state: KeeperState, at: Pick<Wanted, 'path' | 'conversation' | 'number'>): void {
  const file = state.store.index.current(at.path, at.conversation);
  if (file === undefined) state.known.delete(idOf(at));
  else state.known.set(idOf(at), { file, number: at.number });
}

/** A live record is copied when this much is new, or after a quiet period, but not at every line. */
const ENOUGH_BYTES = 256 * 1024;
const QUIET_MS = 3_000;

/** Queues a copy if the file differs from its copy. */
export function compare(state: KeeperState, wanted: Wanted, stat: { readonly size: number; readonly mtimeMs: number }): void {
  const known = state.known.get(idOf(wanted));
  const copied = known?.file.bytes ?? 0;
  if (known && copied === stat.size && known.file.mtimeMs === stat.mtimeMs && known.number === wanted.number && !known.file.isGone) return;
  const isMuch = stat.size < copied || stat.size - copied >= ENOUGH_BYTES;
  state.due.put(idOf(wanted), { what: { wanted }, mtimeMs: stat.mtimeMs, notBefore: isMuch ? 0 : stat.mtimeMs + QUIET_MS });
}

/** Checks whether a copied file still exists and is unchanged, even if nobody reported it. */
export function lookFor(state: KeeperState, id: string): void {
  const known = state.known.get(id);
  if (known === undefined) return;
  const { file, number } = known;
  const stat = lstatSync(file.path, { throwIfNoEntry: false });
  if ((stat === undefined) !== file.isGone) {
    state.store.transaction(() => state.store.index.setGone(file.key, stat === undefined));
    remember(state, { ...file, ...(number !== undefined && { number }) });
  }
  if (stat !== undefined && file.kind !== 'rows' && !state.due.has(id)) compare(state, { ...file, ...(number !== undefined && { number }) }, stat);
}
