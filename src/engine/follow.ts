import type { RunEnd } from '../host/host.ts';
import { JournalUnwritable } from '../journal/faults.ts';
import { recallInFlight } from './memory.ts';
import { speakAbout } from './rules-speak.ts';
import { RunBox } from './run-box.ts';
import type { SessionBox } from './session-box.ts';
import { watchForSilence } from './silent-start.ts';

/** Reads a run from where the journal stands until it has ended. `lateUntil`: bytes before it were printed while no server lived. */
export function followRun(box: SessionBox, run: RunBox, lateUntil = 0): void {
  const { host } = box.world.deps;
  run.follower = host.follow(run.ref, run.outByte, {
    lines: (batch) => {
      if (box.run !== run) return;
      const isLate = (batch.startBytes[0] ?? 0) < lateUntil;
      try {
        box.hear(batch, isLate);
      } catch (error) {
        return readAgainLater(box, run, error);
      }
      if (isLate && run.outByte >= lateUntil) box.work(() => judgeWhatWaits(box, run));
      if (run.pid === undefined && box.state.run.phase === 'ready') box.work(() => learnPid(box, run));
    },
    lost: (fromByte, toByte, reason) => {
      if (box.run === run) noteLost(box, run, fromByte, toByte, reason);
    },
    ended: (end) => box.work(() => conclude(box, run, end)),
  });
  watchForSilence(box, run);
  box.work(() => learnPid(box, run));
  if (run.outByte >= lateUntil) box.work(() => judgeWhatWaits(box, run));
}

/** How long to wait before lines that could not be journaled are read again. */
const READ_AGAIN_MS = 1000;

/** The lines are still in their file: what could not be kept now (a full disk) is read again from where the journal stands. */
function readAgainLater(box: SessionBox, run: RunBox, error: unknown): void {
  const { log, journal } = box.world.deps;
  log.error({ error, session: box.state.id, run: run.ref.run }, 'output could not be journaled; it will be read again');
  run.close();
  const timer = setTimeout(() => {
    const row = journal.run(run.ref.run);
    if (row === undefined || box.run !== run || box.world.closing) return;
    box.run = new RunBox(run.adapter, row);
    followRun(box, box.run);
  }, READ_AGAIN_MS);
  timer.unref();
}

function noteLost(box: SessionBox, run: RunBox, fromByte: number, toByte: number, reason: string): void {
  run.skipTo(toByte);
  box.note((draft) => draft.emit({ type: 'output.lost', fromByte, reason, src: { run: run.ref.run, byte: fromByte } }), { heard: true });
}

const STDERR_SHOWN_CHARS = 2000;

/** What is left of the run is ended before its end is journaled: a server killed in between finds the run open, and sweeps again. */
async function conclude(box: SessionBox, run: RunBox, end: RunEnd): Promise<void> {
  run.isGone = true;
  if (box.run !== run) return;
  await sweep(box, run);
  const memory = await recallInFlight(box);
  if (box.run !== run) return;
  const { log, host } = box.world.deps;
  log.info({ session: box.state.id, run: run.ref.run, code: end.code }, 'an agent ended');
  const lastWords = end.stderrTail.trim().slice(-STDERR_SHOWN_CHARS);
  try {
    box.exit({ run: run.ref.run, code: end.code ?? null, signal: end.signal ?? null, memory, lastWords });
  } catch (error) {
    if (error instanceof JournalUnwritable) return concludeLater(box, run, end, error);
    throw error;
  }
  box.work(() => host.compress(run.ref));
}

/** An end that could not be journaled (a full disk) is told when it can be. */
function concludeLater(box: SessionBox, run: RunBox, end: RunEnd, error: JournalUnwritable): void {
  box.world.deps.log.error({ error, session: box.state.id, run: run.ref.run }, 'the end of an agent could not be journaled; it will be tried again');
  const timer = setTimeout(() => {
    if (!box.world.closing) box.work(() => conclude(box, run, end));
  }, READ_AGAIN_MS);
  timer.unref();
}

/** What cannot be ended must not keep the session from going on. */
async function sweep(box: SessionBox, run: RunBox): Promise<void> {
  const { log, host } = box.world.deps;
  try {
    await host.end(run.ref, { how: 'signal' });
  } catch (error) {
    log.error({ error, session: box.state.id, run: run.ref.run }, 'processes of an agent that ended are still there');
  }
}

async function learnPid(box: SessionBox, run: RunBox): Promise<void> {
  const state = await box.world.deps.host.inspect(run.ref);
  if (state.phase !== 'live' || run.pid === state.pid) return;
  run.pid = state.pid;
  box.tellSummary();
}

/** A rule may have come after the question, and its server died before it could speak: once all that was printed is heard, and only to an agent that lives. */
async function judgeWhatWaits(box: SessionBox, run: RunBox): Promise<void> {
  const { phase } = await box.world.deps.host.inspect(run.ref);
  if (phase !== 'live' || box.run !== run) return;
  run.isCaughtUp = true;
  speakAbout(box.world, [box]);
}
