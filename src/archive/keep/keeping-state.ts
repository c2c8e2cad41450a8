import { lstatSync } from 'node:fs';
import { type Due, openDue } from './due.ts';
import type { KeeperOptions, KeptRows } from './keep.ts';
import type { KeptFile, Wanted } from './kept-index.ts';
import { SHELVES } from './segments.ts';
import type { Store } from './store.ts';

export type Task = { readonly kind: 'file'; readonly wanted: Wanted } | { readonly kind: 'rows'; readonly source: KeptRows };

/** What the thread that copies holds in memory. */
export interface KeepingState {
  readonly store: Store;
  readonly options: KeeperOptions;
  readonly due: Due<Task>;
  /** The newest copy of each file. */
  readonly known: Map<string, Known>;
  readonly forgotten: Set<string>;
  /** Copies whose file is looked for, and segments that are looked through: what may have changed while nobody looked. */
  readonly unseen: string[];
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
    unseen: files.filter((file) => !file.isGone).map(idOf),
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

/** Notes whether a copied file is still there. */
export function lookFor(state: KeepingState, id: string): void {
  const known = state.known.get(id);
  if (known === undefined) return;
  const isGone = lstatSync(known.file.path, { throwIfNoEntry: false }) === undefined;
  if (isGone === known.file.isGone) return;
  state.store.transaction(() => state.store.index.setGone(known.file.key, isGone));
  remember(state, { ...known.file, ...(known.number !== undefined && { number: known.number }) });
}
