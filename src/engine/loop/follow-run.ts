import type { RunEnd } from '../../host/host.ts';
import { SweepIncomplete } from '../../host/sweep.ts';
import { AGAIN_MS } from '../../problems/problems.ts';
import { recallInFlight } from '../continue/agent-record.ts';
import { speakAbout } from '../rules/apply.ts';
import { RunBox } from './run-reader.ts';
import type { SessionBox } from './session-actor.ts';
import { watchForSilence } from './silent-start.ts';

/** Reads a run from where the journal stands until it has ended. `lateUntil`: bytes before it were printed while no server lived. */
export function followRun(box: SessionBox, run: RunBox, lateUntil = 0): void {
  const { host, problems } = box.world.deps;
  const keeps = (work: () => void): boolean => {
    try {
      work();
    } catch (error) {
      readAgainLater(box, run, error);
      return false;
    }
    problems.worked(KEEP_OUTPUT, box.state.id);
    return true;
  };
  run.follower = host.follow(run.ref, run.outByte, {
    lines: (batch) => {
      if (box.run !== run) return;
      const isLate = (batch.startBytes[0] ?? 0) < lateUntil;
      if (!keeps(() => box.hear(batch, isLate))) return;
      // What is printed while we look is printed by an agent that lives.
      if (!isLate) run.isCaughtUp = true;
      if (isLate && run.outByte >= lateUntil) box.insist(LOOK_AT, () => judgeWhatWaits(box, run));
      if (run.pid === undefined && box.state.run.phase === 'ready') box.insist(LOOK_AT, () => learnPid(box, run));
    },
    lost: (fromByte, toByte, reason) => {
      if (box.run === run) keeps(() => noteLost(box, run, fromByte, toByte, reason));
    },
    ended: (end) => box.insist(CONCLUDE, () => conclude(box, run, end)),
  });
  watchForSilence(box, run);
  box.insist(LOOK_AT, () => learnPid(box, run));
  if (run.outByte >= lateUntil) box.insist(LOOK_AT, () => judgeWhatWaits(box, run));
}

export const FOLLOW = 'read what agents print';
const LOOK_AT = 'check on running agents';
const CONCLUDE = 'conclude agents that ended';

const KEEP_OUTPUT = 'keep what agents print';

/** The lines are still in their file: what could not be kept now (a full disk) is read again from where the journal stands. */
function readAgainLater(box: SessionBox, run: RunBox, error: unknown): void {
  const { problems } = box.world.deps;
  problems.failed(KEEP_OUTPUT, error, box.state.id);
  run.close();
  problems.after(KEEP_OUTPUT, AGAIN_MS, () => box.insist(FOLLOW, async () => readAgain(box, run))).unref();
}

function readAgain(box: SessionBox, run: RunBox): void {
  const row = box.world.deps.journal.run(run.ref.run);
  if (row === undefined || box.run !== run || box.world.closing) return;
  const again = new RunBox(run.adapter, row);
  again.isGone = run.isGone;
  followRun(box, again);
  box.run = again;
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
  box.exit({ run: run.ref.run, code: end.code ?? null, signal: end.signal ?? null, memory, lastWords });
  box.work(() => host.compress(run.ref));
}

/** What cannot be ended must not keep the session from continuing. */
async function sweep(box: SessionBox, run: RunBox): Promise<void> {
  const { log, host } = box.world.deps;
  try {
    await host.end(run.ref, { how: 'signal' });
  } catch (error) {
    if (!(error instanceof SweepIncomplete)) throw error;
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
