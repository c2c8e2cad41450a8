import { resolve } from 'node:path';
import type { KeptState } from '../../protocol/archive.ts';
import type { SeenFile } from '../keeping.ts';
import type { NumberedFile } from '../record-bytes.ts';
import { type Forgotten, type Keeper, type KeeperOptions, type KeptRows, NotRestored } from './keep.ts';
import { step } from './keep-step.ts';
import { idOf, type KeepingState, lookFor, remember, stateOf } from './keeping-state.ts';
import { type CopyReading, heldSegments, keptFileOf, openCopy } from './kept-copy.ts';
import type { Wanted } from './kept-index.ts';
import { restore } from './restore.ts';
import { openStore, type Store } from './store.ts';

/** A live record is copied when this much is new, or when nothing came for a while: not at every line. */
const ENOUGH_BYTES = 256 * 1024;
const QUIET_MS = 3_000;

/** Never throws: without a usable folder it says so, and copies nothing. */
export function openKeeper(options: KeeperOptions): Keeper {
  try {
    return keeperOf(openStore(options.dataDir), options);
  } catch (error) {
    return withoutStore(`No copies of records are kept: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function keeperOf(store: Store, options: KeeperOptions): Keeper {
  const state = stateOf(store, options);
  const reading: CopyReading = { index: store.index, segment: heldSegments(store.segmentsFolder) };
  return {
    seen: (file) => seen(state, file),
    seenRows: (source) => seenRows(state, source),
    vanished: (file) => lookFor(state, idOf({ path: file.path, conversation: '' })),
    step: () => step(state),
    state: () => shown(state),
    turn: (on) => {
      store.transaction(() => store.index.turn(on));
      state.on = on;
    },
    restore: (files) => {
      const answer = restore(store, options, files);
      for (const path of answer.paths) remember(state, { path, conversation: '', ...numberOf(files, path) });
      return answer;
    },
    forget: (files) => forget(state, files),
    open: (file) => openCopy(reading, file),
    holds: (file, size) => (keptFileOf(reading, file)?.bytes ?? -1) >= size,
    close: () => store.close(),
  };
}

function seen(state: KeepingState, file: SeenFile): void {
  const wanted = wantedOf(file);
  if (state.forgotten.has(idOf(wanted))) return;
  const known = state.known.get(idOf(wanted));
  const copied = known?.file.bytes ?? 0;
  if (known && copied === file.size && known.file.mtimeMs === file.mtimeMs && known.number === file.key && !known.file.isGone) return;
  const isMuch = file.size < copied || file.size - copied >= ENOUGH_BYTES;
  const notBefore = isMuch ? 0 : file.mtimeMs + QUIET_MS;
  state.due.put(idOf(wanted), { what: { kind: 'file', wanted }, mtimeMs: file.mtimeMs, notBefore });
}

function wantedOf(file: SeenFile): Wanted {
  const companion = file.companion === undefined ? {} : { companion: resolve(file.root, file.companion) };
  return { root: resolve(file.root), path: resolve(file.root, file.path), conversation: '', kind: 'record', number: file.key, ...companion };
}

function seenRows(state: KeepingState, source: KeptRows): void {
  const known = state.known.get(idOf(source))?.file;
  if (state.forgotten.has(idOf(source)) || (known?.lastRow === source.lastRow && !known.isGone)) return;
  const now = state.options.now();
  state.due.put(idOf(source), { what: { kind: 'rows', source }, mtimeMs: now, notBefore: known === undefined ? 0 : now + QUIET_MS });
}

function shown({ store, problem }: KeepingState): KeptState {
  const words = [store.problem, problem].filter((one) => one !== undefined).join(' ');
  return { ...store.index.totals(), ...(words !== '' && { problem: words }) };
}

const numberOf = (files: readonly NumberedFile[], path: string): { number?: number } => {
  const file = files.find((one) => one.path === path);
  return file === undefined ? {} : { number: file.key };
};

function forget(state: KeepingState, files: readonly Forgotten[]): void {
  const { index, segments } = state.store;
  const ids = files.map(({ path, conversation = '' }) => idOf({ path, conversation }));
  const kept = files.flatMap(({ path, conversation = '' }) => index.everyOf(path, conversation));
  const companions = kept.flatMap(({ companion }) => (companion === undefined ? [] : index.everyOf(companion, '')));
  const loose = state.store.transaction(() => {
    for (const id of ids) index.forget(id);
    return [...kept, ...companions].flatMap((file) => index.drop(file.key));
  });
  for (const sha of loose) segments.remove(sha);
  for (const id of [...ids, ...companions.map(idOf)]) {
    state.due.remove(id);
    state.known.delete(id);
  }
  for (const id of ids) state.forgotten.add(id);
}

function withoutStore(problem: string): Keeper {
  const nothing = (): void => undefined;
  const refuse = (): never => {
    throw new NotRestored(problem);
  };
  return {
    seen: nothing,
    seenRows: nothing,
    vanished: nothing,
    step: () => false,
    state: () => ({ on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0, problem }),
    turn: nothing,
    restore: refuse,
    forget: nothing,
    open: () => undefined,
    holds: () => false,
    close: nothing,
  };
}
