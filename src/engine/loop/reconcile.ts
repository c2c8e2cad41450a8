import { isAtWork } from '../../domain/session/end-run.ts';
import { fold } from '../../domain/session/evolve.ts';
import { type SessionState, STATE_VERSION, unborn } from '../../domain/session/state.ts';
import { waitsForPlace } from '../../domain/session/status.ts';
import type { Journal, RunRow } from '../../journal/journal.ts';
import { reconcileRun } from '../../journal/reconcile-run.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { tellTakenUp } from '../continue/announce-adopted.ts';
import type { World } from '../engine-context.ts';
import { GIVE, performEffect, pump } from './effects.ts';
import { followRun } from './follow-run.ts';
import { refold } from './refold.ts';
import { RunBox } from './run-reader.ts';
import { SessionBox } from './session-actor.ts';

const PAGE = 1000;

/** Brings back every session from the journal. No process is touched yet. */
export function loadSessions(world: World): void {
  for (const id of world.deps.journal.sessions()) {
    const snapshot = stateAtSnapshot(world.deps.journal, id);
    const box = new SessionBox(world, foldRest(world.deps.journal, snapshot), snapshot.seq);
    world.boxes.set(id, box);
    if (!box.state.deleted) tellTakenUp(box);
  }
}

function stateAtSnapshot(journal: Journal, id: SessionId): SessionState {
  const snapshot = journal.snapshot(id);
  return snapshot?.version === STATE_VERSION ? (snapshot.state as SessionState) : unborn(id);
}

function foldRest(journal: Journal, from: SessionState): SessionState {
  let state = from;
  for (;;) {
    const events = journal.after(state.id, state.seq, PAGE);
    state = fold(state, events);
    if (events.length < PAGE) return state;
  }
}

/**
 * Finds the runs of the last server again: living ones are followed, dead ones concluded, half-made ones given up.
 * Returns at once; each session goes on when its own run has been found, and what is asked meanwhile waits behind it.
 */
export function reconcileRuns(world: World): void {
  for (const row of world.deps.journal.openRuns()) {
    const box = world.boxes.get(row.session);
    if (box === undefined || box.state.run.phase === 'none' || box.state.run.run !== row.run) continue;
    const run = new RunBox(box.adapter, row);
    box.run = run;
    box.insist('find running agents again', () => findAgain(box, run, row));
  }
  for (const box of world.boxes.values()) {
    if (box.state.deleted) performEffect(box, { type: 'forget' });
    else if (waitsForPlace(box.state)) box.poke('server start');
    box.watchTime();
  }
}

async function findAgain(box: SessionBox, run: RunBox, row: RunRow): Promise<void> {
  const { host } = box.world.deps;
  const found = await host.claim(run.ref);
  if (found.phase === 'absent') return box.exit({ run: row.run, code: null, signal: null, memory: 'absent', neverBegan: true });
  run.isGone = found.phase === 'ended' || found.phase === 'died';
  if (row.adapterVersion !== box.adapter.version) await refold(box.world, run, row);
  const size = await host.outputSize(run.ref);
  const place = reconcileRun(row, size);
  if (place.kind === 'shorter') noteShorter(box, run, place.fileSize);
  followRun(box, run, size);
  host.ring(run.ref);
  box.insist(GIVE, () => pump(box, run));
  if (box.state.run.phase === 'ending') performEffect(box, { type: 'end', run: row.run, midTurn: isAtWork(box.state) });
}

/** After a power loss the file may have lost bytes that the journal has: what they said is kept, what comes next is read. */
function noteShorter(box: SessionBox, run: RunBox, size: number): void {
  run.skipTo(size);
  const reason = 'the output file lost its end in a power failure; what the journal had of it is kept';
  box.note((draft) => draft.emit({ type: 'output.lost', fromByte: size, reason }), { heard: true });
}
