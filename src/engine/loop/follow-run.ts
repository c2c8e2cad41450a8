import type { RunEnd } from '../../host/host.ts';
import { SweepIncomplete } from '../../host/sweep.ts';
import { RETRY_MS } from '../../problems/problems.ts';
import { recallInFlight } from '../continue/agent-record.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { RunReader } from './run-reader.ts';
import type { SessionActor } from './session-actor.ts';
import { watchForSilence } from './silent-start.ts';

/** Reads a run from the journal's position until it ends. `lateUntil`: bytes before it were printed while no server was running. */
export function followRun(session: SessionActor, run: RunReader, lateUntil = 0): void {
  const { host, problems } = session.context.deps;
  const succeeds = (work: () => void): boolean => {
    try {
      work();
    } catch (error) {
      readAgainLater(session, run, error);
      return false;
    }
    problems.worked(KEEP_OUTPUT, session.state.id);
    return true;
  };
  run.follower = host.follow(run.ref, run.outByte, {
    lines: (batch) => {
      if (session.run !== run) return;
      const isLate = (batch.startBytes[0] ?? 0) < lateUntil;
      if (!succeeds(() => session.ingest(batch, isLate))) return;
      // Output that arrives while we follow the run comes from a live agent.
      if (!isLate) run.isCaughtUp = true;
      if (isLate && run.outByte >= lateUntil) session.retryUntilDone(CHECK_RUNS, () => judgeWaitingRequests(session, run));
      if (run.pid === undefined && session.state.run.phase === 'ready') session.retryUntilDone(CHECK_RUNS, () => learnPid(session, run));
    },
    lost: (fromByte, toByte, reason) => {
      if (session.run === run) succeeds(() => noteLost(session, run, fromByte, toByte, reason));
    },
    ended: (end) => session.retryUntilDone(CONCLUDE, () => conclude(session, run, end)),
  });
  watchForSilence(session, run);
  session.retryUntilDone(CHECK_RUNS, () => learnPid(session, run));
  if (run.outByte >= lateUntil) session.retryUntilDone(CHECK_RUNS, () => judgeWaitingRequests(session, run));
}

export const FOLLOW = 'read what agents print';
const CHECK_RUNS = 'check on running agents';
const CONCLUDE = 'conclude agents that ended';

const KEEP_OUTPUT = 'keep what agents print';

/** The lines are still in their file: what could not be stored now (a full disk) is read again from the journal's position. */
function readAgainLater(session: SessionActor, run: RunReader, error: unknown): void {
  const { problems } = session.context.deps;
  problems.failed(KEEP_OUTPUT, error, session.state.id);
  run.close();
  problems.after(KEEP_OUTPUT, RETRY_MS, () => session.retryUntilDone(FOLLOW, async () => readAgain(session, run))).unref();
}

function readAgain(session: SessionActor, run: RunReader): void {
  const row = session.context.deps.journal.run(run.ref.run);
  if (row === undefined || session.run !== run || session.context.closing) return;
  const again = new RunReader(run.adapter, row);
  again.isGone = run.isGone;
  again.wasGoneAtStart = run.wasGoneAtStart;
  followRun(session, again);
  session.run = again;
}

function noteLost(session: SessionActor, run: RunReader, fromByte: number, toByte: number, reason: string): void {
  run.skipTo(toByte);
  session.note((draft) => draft.emit({ type: 'output.lost', fromByte, reason, src: { run: run.ref.run, byte: fromByte } }), { ingested: true });
}

const STDERR_SHOWN_CHARS = 2000;

/** Remaining processes of the run are ended before its end is stored: a server killed in between leaves the run open, and the next one sweeps again. */
async function conclude(session: SessionActor, run: RunReader, end: RunEnd): Promise<void> {
  run.isGone = true;
  if (session.run !== run) return;
  await sweep(session, run);
  const memory = await recallInFlight(session);
  if (session.run !== run) return;
  const { log, host } = session.context.deps;
  log.info({ session: session.state.id, run: run.ref.run, code: end.code }, 'an agent ended');
  const lastWords = end.stderrTail.trim().slice(-STDERR_SHOWN_CHARS);
  session.exit({ run: run.ref.run, code: end.code ?? null, signal: end.signal ?? null, memory, lastWords, foundAtStart: run.wasGoneAtStart });
  session.work(() => host.compress(run.ref));
}

/** A process that can't be ended must not keep the session from continuing. */
async function sweep(session: SessionActor, run: RunReader): Promise<void> {
  const { log, host } = session.context.deps;
  try {
    await host.end(run.ref, { how: 'signal' });
  } catch (error) {
    if (!(error instanceof SweepIncomplete)) throw error;
    log.error({ error, session: session.state.id, run: run.ref.run }, 'processes of an ended agent are still running');
  }
}

async function learnPid(session: SessionActor, run: RunReader): Promise<void> {
  const state = await session.context.deps.host.inspect(run.ref);
  if (state.phase !== 'live' || run.pid === state.pid) return;
  run.pid = state.pid;
  session.publishSummary();
}

/** A rule may have been stored after the request, by a server that died before applying it. Rules apply once all output is read, and only if the agent is alive. */
async function judgeWaitingRequests(session: SessionActor, run: RunReader): Promise<void> {
  const { phase } = await session.context.deps.host.inspect(run.ref);
  if (phase !== 'live' || session.run !== run) return;
  run.isCaughtUp = true;
  applyRules(session.context, [session]);
}
