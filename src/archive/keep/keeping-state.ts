import { lstatSync } from 'node:fs';
import type { SeenRows } from '../keeper-port.ts';
import { type Due, openDue } from './due.ts';
import type { KeeperOptions } from './keep.ts';
import type { KeptFile, Wanted } from './kept-index.ts';
import { SHELVES } from './segments.ts';
import type { Store } from './store.ts';

export interface Task {
  readonly wanted: Wanted;
  /** Of a conversation in a database. */
  readonly source?: SeenRows;
}

/** What the thread that copies holds in memory. */
export interface KeepingState {
  readonly store: Store;
  readonly options: KeeperOptions;
  readonly due: Due<Task>;
  /** The newest copy of each file. */
  readonly known: Map<string, Known>;
  readonly forgotten: Set<string>;
  /** Copies whose file is looked for: is it there, and as it was copied? */
  unseen: string[];
  /** Folders of segments that are still to be looked through. */
  shelvesLeft: number;
  on: boolean;
  problem: string | undefined;
  /** After a fault of the disk nothing is tried before this. */
  pausedUntil: number;
}

export interface Known {
  readonly file: KeptFile;
  readonly number: number | undefined;
}

export function stateOf(store: Store, options: KeeperOptions): KeepingState {
  const files = store.index.allCurrent();
  const numbers = store.index.numbers();
  return {
    store,
    options,
    due: openDue(),
    known: new Map(files.map((file) => [idOf(file), { file, number: numbers.get(file.key) }])),
    forgotten: new Set(store.index.forgotten()),
    unseen: files.map(idOf),
    shelvesLeft: SHELVES,
    on: store.index.totals().on,
    problem: undefined,
    pausedUntil: 0,
  };
}

export const idOf = ({ path, conversation }: Pick<Wanted, 'path' | 'conversation'>): string => `${path}\n${conversation}`;

export function remember(state: KeepingState, at: Pick<Wanted, 'path' | 'conversation' | 'number'>): void {
  const file = state.store.index.current(at.path, at.conversation);
  if (file === undefined) state.known.delete(idOf(at));
  else state.known.set(idOf(at), { file, number: at.number });
}

/** A live record is copied when this much is new, or when nothing came for a while: not at every line. */
const ENOUGH_BYTES = 256 * 1024;
const QUIET_MS = 3_000;

/** Makes a copy due when the file is not as it was copied. */
export function compare(state: KeepingState, wanted: Wanted, there: { readonly size: number; readonly mtimeMs: number }): void {
  const known = state.known.get(idOf(wanted));
  const copied = known?.file.bytes ?? 0;
  if (known && copied === there.size && known.file.mtimeMs === there.mtimeMs && known.number === wanted.number && !known.file.isGone) return;
  const isMuch = there.size < copied || there.size - copied >= ENOUGH_BYTES;
  state.due.put(idOf(wanted), { what: { wanted }, mtimeMs: there.mtimeMs, notBefore: isMuch ? 0 : there.mtimeMs + QUIET_MS });
}

/** Notes whether a copied file is still there, and as it was copied: also one that nobody tells of. */
export function lookFor(state: KeepingState, id: string): void {
  const known = state.known.get(id);
  if (known === undefined) return;
  const { file, number } = known;
  const there = lstatSync(file.path, { throwIfNoEntry: false });
  if ((there === undefined) !== file.isGone) {
    state.store.transaction(() => state.store.index.setGone(file.key, there === undefined));
    remember(state, { ...file, ...(number !== undefined && { number }) });
  }
  if (there !== undefined && file.kind !== 'rows' && !state.due.has(id)) compare(state, { ...file, ...(number !== undefined && { number }) }, there);
}
