import { join, resolve } from 'node:path';
import { archivedIdOf } from '../../agents/port/archived-id.ts';
import type { KeptState, RestoreAnswer } from '../../protocol/api/archive.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { SeenRecord, SeenRows } from '../keeper-port.ts';
import { type Keeper, type KeeperOptions, NotRestored } from './keep.ts';
import { step } from './keep-step.ts';
import { compare, idOf, type KeeperState, remember, stateOf } from './keeper-state.ts';
import { type CopyReading, cachedSegments, openCopy } from './kept-copy.ts';
import type { Wanted } from './kept-index.ts';
import { restore } from './restore.ts';
import { openStore, type Store } from './store.ts';

/** Never throws: without a usable folder it reports the problem, and copies nothing. */
export function openKeeper(options: KeeperOptions): Keeper {
  try {
    return keeperOf(openStore(options.dataDir), options);
  } catch (error) {
    return withoutStore(`No copies of records are kept: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function keeperOf(store: Store, options: KeeperOptions): Keeper {
  const state = stateOf(store, options);
  const reading: CopyReading = { index: store.index, segment: cachedSegments(store.segmentsFolder) };
  return {
    seen: (source) => seen(state, source),
    seenRows: (source) => seenRows(state, source),
    swept: () => {
      state.unseen = [...state.known.keys()];
    },
    step: () => step(state),
    state: () => shown(state),
    keep: (on) => {
      store.transaction(() => store.index.turn(on));
      state.on = on;
    },
    restore: (session, numbers) => restoreSession(state, session, numbers),
    forget: (session) => forget(state, session),
    open: (file) => openCopy(reading, file),
    close: () => store.close(),
  };
}

function seen(state: KeeperState, source: SeenRecord): void {
  const wanted = wantedOf(source);
  if (state.forgotten.has(wanted.session)) return;
  compare(state, wanted, source);
}

function wantedOf({ agent, agentSessionId, root, path, number, companion }: SeenRecord): Wanted {
  const session = archivedIdOf(agent, agentSessionId);
  const companionPath = companion === undefined ? {} : { companion: join(root, companion) };
  return { session, agent, root: resolve(root), path: join(root, path), conversation: '', kind: 'record', number, ...companionPath };
}

/** Waits a while for more rows, as for more lines of a file. */
const MORE_ROWS_MS = 3_000;

function seenRows(state: KeeperState, source: SeenRows): void {
  const { agent, agentSessionId, root } = source;
  const session = archivedIdOf(agent, agentSessionId);
  const wanted: Wanted = { session, agent, root: resolve(root), path: join(root, source.path), conversation: agentSessionId, kind: 'rows' };
  const known = state.known.get(idOf(wanted))?.file;
  if (state.forgotten.has(session) || (known?.lastRow === source.lastRow && !known.isGone)) return;
  const now = state.options.now();
  state.due.put(idOf(wanted), { what: { wanted, source }, mtimeMs: now, notBefore: known === undefined ? 0 : now + MORE_ROWS_MS });
}

function restoreSession(state: KeeperState, session: SessionId, numbers: readonly number[] | undefined): RestoreAnswer {
  const answer = restore(state.store, state.options, session, numbers);
  for (const path of answer.paths) {
    const number = state.known.get(idOf({ path, conversation: '' }))?.number;
    remember(state, { path, conversation: '', ...(number !== undefined && { number }) });
  }
  return answer;
}

function shown({ store, problem }: KeeperState): KeptState {
  const words = [store.problem, problem].filter((one) => one !== undefined).join(' ');
  return { ...store.index.totals(), ...(words !== '' && { problem: words }) };
}

function forget(state: KeeperState, session: SessionId): void {
  const { index, segments } = state.store;
  const files = index.ofSession(session);
  const unreferenced = state.store.transaction(() => {
    index.forget(session);
    return files.flatMap((file) => index.drop(file.key));
  });
  for (const sha of unreferenced) segments.remove(sha);
  state.forgotten.add(session);
  for (const file of files) {
    state.due.remove(idOf(file));
    state.known.delete(idOf(file));
  }
}

function withoutStore(problem: string): Keeper {
  const nothing = (): void => undefined;
  const refuse = (): never => {
    throw new NotRestored(problem);
  };
  return {
    seen: nothing,
    seenRows: nothing,
    swept: nothing,
    step: () => false,
    state: () => ({ on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0, problem }),
    keep: nothing,
    restore: refuse,
    forget: nothing,
    open: () => undefined,
    close: nothing,
  };
}
