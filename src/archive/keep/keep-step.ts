import { existsSync, lstatSync } from 'node:fs';
import { SQLITE, sqliteCode } from '../../journal/sqlite-driver.ts';
import { copyFile } from './copy-file.ts';
import { copyRows } from './copy-rows.ts';
import { compare, type KeeperState, lookFor, remember, type Task } from './keeper-state.ts';
import type { Wanted } from './kept-index.ts';
import { codeOf, shaOfName } from './segments.ts';

/** Shorter than a frame, together with what follows: a last segment of 1 MB takes up to 12 ms. */
const STEP_MS = 3;
const LOOKS_AT_ONCE = 50;
const PAUSE_MS = 60_000;

/** Works for a few milliseconds; false when there was nothing to do. */
export function step(state: KeeperState): boolean {
  const until = performance.now() + STEP_MS;
  let didSomething = false;
  while (doOne(state)) {
    didSomething = true;
    if (performance.now() >= until) break;
  }
  return didSomething;
}

function doOne(state: KeeperState): boolean {
  try {
    return lookForSome(state) || copyOne(state) || clearFolder(state);
  } catch (error) {
    pause(state, error);
    return false;
  }
}

function lookForSome(state: KeeperState): boolean {
  const some = state.unseen.splice(-LOOKS_AT_ONCE);
  for (const id of some) lookFor(state, id);
  return some.length > 0;
}

function copyOne(state: KeeperState): boolean {
  const now = state.options.now();
  if (!state.on || now < state.pausedUntil) return false;
  const next = state.due.next(now);
  if (next === undefined) return false;
  if (!state.options.mayWrite()) {
    state.problem = 'The disk is nearly full. Copying continues when there is room.';
    return false;
  }
  const [id, task] = next;
  if (state.forgotten.has(task.wanted.session)) {
    state.due.remove(id);
    return true;
  }
  try {
    if (copy(state, task)) finish(state, id, task);
    state.problem = undefined;
  } catch (error) {
    fail(state, id, task, error);
  }
  return true;
}

const copy = ({ store }: KeeperState, { wanted, source }: Task): boolean => (source === undefined ? copyFile(store, wanted) : copyRows(store, wanted, source));

function finish(state: KeeperState, id: string, { wanted }: Task): void {
  state.due.remove(id);
  remember(state, wanted);
  if (wanted.companion !== undefined) seenCompanion(state, wanted, wanted.companion);
}

/** Companions are small and not reported, so they are checked whenever their record was copied. */
function seenCompanion(state: KeeperState, { session, agent, root }: Wanted, path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) compare(state, { session, agent, root, path, conversation: '', kind: 'companion' }, stat);
}

/** An unreadable record is skipped until it is seen again; if our own disk fails, everything waits. */
function fail(state: KeeperState, id: string, task: Task, error: unknown): void {
  if (isOurs(error)) return pause(state, error);
  state.due.remove(id);
  if (!existsSync(task.wanted.path)) return lookFor(state, id);
  state.problem = `${task.wanted.path} could not be copied: ${messageOf(error)}.`;
}

const OURS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'];

const isOurs = (error: unknown): boolean => sqliteCode(error) !== undefined || OURS.includes(codeOf(error) ?? '');

function pause(state: KeeperState, error: unknown): void {
  state.pausedUntil = state.options.now() + PAUSE_MS;
  const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || sqliteCode(error) === SQLITE.full;
  const why = isFull ? 'The disk is full' : `Copies of records could not be written (${messageOf(error)})`;
  state.problem = `${why}. Retrying in a minute; existing copies are safe.`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Removes what a kill left behind: complete or partial segments that never got into the index. */
function clearFolder(state: KeeperState): boolean {
  if (state.foldersLeft === 0) return false;
  const folder = --state.foldersLeft;
  for (const name of state.store.segments.names(folder)) {
    const sha = shaOfName(name);
    if (sha === undefined || !state.store.index.isKnown(sha)) state.store.segments.removeName(folder, name);
  }
  return true;
}
