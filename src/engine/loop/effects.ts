import type { Effect } from '../../domain/session/draft.ts';
import type { RunOpening } from '../../domain/session/drive.ts';
import { foundDriver } from '../../domain/session/driver.ts';
import { DiskFull, InputClosed, LaunchFailed } from '../../host/host.ts';
import { CalledOff, driverOf, HeldElsewhere } from '../external/external-drivers.ts';
import { takeOver } from '../external/takeover.ts';
import { keepClosedOf } from '../private-sessions.ts';
import { revokeRulesOf } from '../workspace-commands.ts';
import { FOLLOW, followRun } from './follow-run.ts';
import { startRun } from './launch.ts';
import type { RunBox } from './run-reader.ts';
import type { SessionBox } from './session-actor.ts';

/** What was decided stays in the journal until it is given: it is safe to try again. */
export const GIVE = 'give agents their messages';

/** Carries a decision out, now that it is durable. Everything of one session happens in order. */
export function performEffect(box: SessionBox, effect: Effect): void {
  const { run } = box;
  switch (effect.type) {
    case 'launch':
      if (run !== undefined) box.work(() => launch(box, run, effect));
      return;
    case 'send-input':
    case 'send-interrupt':
    case 'send-answer':
    case 'send-setting':
    case 'send-rewind':
      if (run !== undefined) box.insist(GIVE, () => pump(box, run));
      return;
    case 'take-over':
      box.work(() => takeOver(box, effect.pid));
      return;
    case 'end':
      if (run !== undefined) box.insist('stop agents', () => endRun(box, run, effect.midTurn));
      return;
    case 'forget':
      box.work(() => forget(box));
      return;
  }
}

async function launch(box: SessionBox, run: RunBox, opening: RunOpening): Promise<void> {
  try {
    await startRun(box, run, opening);
  } catch (error) {
    run.isGone = true; // there is nothing to give to
    return box.insist('note that agents could not be started', async () => {
      if (box.run === run) notStarted(box, run, error);
    });
  }
  box.insist(FOLLOW, async () => {
    if (box.run === run && run.follower === undefined) followRun(box, run);
  });
  box.insist(GIVE, () => pump(box, run));
}

function notStarted(box: SessionBox, run: RunBox, error: unknown): void {
  if (error instanceof HeldElsewhere) return stepBack(box, run, error);
  if (error instanceof CalledOff) return giveUp(box, run);
  box.world.deps.log.warn({ error, session: box.state.id }, 'an agent could not be started');
  box.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', couldNotStart: whyNot(error) });
}

/** The process was not started: whatever kept it from that is the reason. */
function whyNot(error: unknown): string {
  const cause = error instanceof LaunchFailed ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Another program holds the conversation: the run is not begun, and what was to be said waits. */
function stepBack(box: SessionBox, run: RunBox, { holder }: HeldElsewhere): void {
  box.note((draft) => foundDriver(draft, driverOf(holder)));
  box.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', neverBegan: true });
}

/** Ended before it was begun. When it is the server that ends, the next one begins it. */
function giveUp(box: SessionBox, run: RunBox): void {
  if (!box.world.closing) box.exit({ run: run.ref.run, code: null, signal: null, memory: 'absent', neverBegan: true });
}

/** Gives the agent what was decided, in order: durable first, then into its input, then marked as done. */
export async function pump(box: SessionBox, run: RunBox): Promise<void> {
  const { journal, host, log } = box.world.deps;
  if (run.isGone) return;
  const rows = journal.pendingSends(run.ref.run);
  if (rows.length > 0) await journal.sync();
  for (const row of rows) {
    try {
      await host.send(run.ref, row.offset, row.bytes, { urgent: true });
    } catch (error) {
      if (error instanceof DiskFull) return log.warn({ error, session: box.state.id }, 'input waits for space on the disk');
      if (error instanceof InputClosed) return log.warn({ error, session: box.state.id }, 'input came after the agent was told to end');
      throw error;
    }
    journal.sendDone(run.ref.run, row.offset);
  }
}

async function endRun(box: SessionBox, run: RunBox, midTurn: boolean): Promise<void> {
  const { journal, host } = box.world.deps;
  if (run.isGone) return;
  const rows = journal.pendingSends(run.ref.run);
  const last = midTurn ? rows.at(-1) : undefined;
  if (last === undefined) {
    await pump(box, run);
    return host.end(run.ref, { how: midTurn ? 'signal' : 'idle' });
  }
  if (rows.length > 1) await syncOrEnd(box, run);
  for (const row of rows.slice(0, -1)) {
    await host.send(run.ref, row.offset, row.bytes, { urgent: true });
    journal.sendDone(run.ref.run, row.offset);
  }
  await host.end(run.ref, { how: 'interrupt', offset: last.offset, bytes: last.bytes });
  journal.sendDone(run.ref.run, last.offset);
}

/** Where nothing can be made durable the agent gets no more input, but it must not go on unattended. */
async function syncOrEnd(box: SessionBox, run: RunBox): Promise<void> {
  const { journal, host } = box.world.deps;
  try {
    await journal.sync();
  } catch (error) {
    await host.end(run.ref, { how: 'signal' });
    throw error;
  }
}

/** A deleted session is forgotten once nothing of it runs any more. Its agent's own files stay. */
async function forget(box: SessionBox): Promise<void> {
  const { deps, subscribers, boxes, audit } = box.world;
  const { id } = box.state;
  box.run?.close();
  box.run = undefined;
  await audit.finish(id);
  await deps.secrets.forget(id);
  await deps.host.forget(id);
  revokeRulesOf(box.world, id);
  keepClosedOf(box.world, box.state);
  deps.journal.forget(id);
  boxes.delete(id);
  deps.onSummary(id, deps.journal.position());
  subscribers.tell(id, { kind: 'deleted', sessionId: id });
  box.world.placesChanged();
}
