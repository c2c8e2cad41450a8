import { existsSync, lstatSync } from 'node:fs';
import { SQLITE, sqliteCode } from '../../journal/sqlite/sqlite-driver.ts';
import { copyFile } from './copy-file.ts';
import { copyRows } from './copy-rows.ts';
import { compare, type KeepingState, lookFor, remember, type Task } from './keeping-state.ts';
import type { Wanted } from './kept-index.ts';
import { codeOf, shaOfName } from './segments.ts';

/** Shorter than a frame with what follows: a last segment of 1 MB takes up to 12 ms. */
const STEP_MS = 3;
const LOOKS_AT_ONCE = 50;
const PAUSE_MS = 60_000;

/** Works for some milliseconds; false when there was nothing to do. */
export function step(state: KeepingState): boolean {
  const until = performance.now() + STEP_MS;
  let didSomething = false;
  while (doOne(state)) {
    didSomething = true;
    if (performance.now() >= until) break;
  }
  return didSomething;
}

function doOne(state: KeepingState): boolean {
  try {
    return lookForSome(state) || copyOne(state) || clearShelf(state);
  } catch (error) {
    pause(state, error);
    return false;
  }
}

function lookForSome(state: KeepingState): boolean {
  const some = state.unseen.splice(-LOOKS_AT_ONCE);
  for (const id of some) lookFor(state, id);
  return some.length > 0;
}

function copyOne(state: KeepingState): boolean {
  const now = state.options.now();
  if (!state.on || now < state.pausedUntil) return false;
  const next = state.due.next(now);
  if (next === undefined) return false;
  if (!state.options.mayWrite()) {
    state.problem = 'The disk is nearly full. Records are copied again when there is room.';
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

const copy = ({ store }: KeepingState, { wanted, source }: Task): boolean => (source === undefined ? copyFile(store, wanted) : copyRows(store, wanted, source));

function finish(state: KeepingState, id: string, { wanted }: Task): void {
  state.due.remove(id);
  remember(state, wanted);
  if (wanted.companion !== undefined) seenCompanion(state, wanted, wanted.companion);
}

/** It is small, and told of by nobody: looked at whenever its record was copied. */
function seenCompanion(state: KeepingState, { session, agent, root }: Wanted, path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isFile()) compare(state, { session, agent, root, path, conversation: '', kind: 'companion' }, there);
}

/** A record that cannot be read is left out until it is seen again; when the fault is ours, all wait. */
function fail(state: KeepingState, id: string, task: Task, error: unknown): void {
  if (isOurs(error)) return pause(state, error);
  state.due.remove(id);
  if (!existsSync(task.wanted.path)) return lookFor(state, id);
  state.problem = `${task.wanted.path} could not be copied: ${wordsOf(error)}.`;
}

const OURS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'];

const isOurs = (error: unknown): boolean => sqliteCode(error) !== undefined || OURS.includes(codeOf(error) ?? '');

function pause(state: KeepingState, error: unknown): void {
  state.pausedUntil = state.options.now() + PAUSE_MS;
  const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || sqliteCode(error) === SQLITE.full;
  const why = isFull ? 'The disk is full' : `Copies of records could not be written (${wordsOf(error)})`;
  state.problem = `${why}. It is tried again in a minute; what was copied before is safe.`;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a kill left: segments that were written but never came into the index, whole or half. */
function clearShelf(state: KeepingState): boolean {
  if (state.shelvesLeft === 0) return false;
  const shelf = --state.shelvesLeft;
  for (const name of state.store.segments.shelf(shelf)) {
    const sha = shaOfName(name);
    if (sha === undefined || !state.store.index.isKnown(sha)) state.store.segments.removeName(shelf, name);
  }
  return true;
}
