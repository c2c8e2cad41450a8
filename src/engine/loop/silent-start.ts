import type { RunReader } from './run-reader.ts';
import type { SessionActor } from './session-actor.ts';

/** Agents print their first line within 4 s even on a loaded machine. After this something is wrong. */
const SILENT_START_MS = 15_000;
const STDERR_SHOWN_CHARS = 2000;
const PAGE = 200;

/** Reports a run that printed nothing within the limit once, with its error output. */
export function watchForSilence(session: SessionActor, run: RunReader): void {
  if (run.outByte > 0) return;
  const limitMs = session.context.deps.settings.silentStartMs ?? SILENT_START_MS;
  run.silence = session.context.deps.problems.after('check on agents that print nothing', limitMs, () =>
    session.work(() => reportSilence(session, run, limitMs)),
  );
  run.silence.unref();
}

async function reportSilence(session: SessionActor, run: RunReader, limitMs: number): Promise<void> {
  const stderr = await session.context.deps.host.stderrTail(run.ref);
  const isOver = session.run !== run || run.isGone || run.outByte > 0 || session.state.deleted || session.context.closing;
  if (isOver || isReported(session, run)) return;
  const text = `${run.adapter.title} has printed nothing for ${limitMs / 1000} s. ${describeErrorOutput(stderr.trim())}`;
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text, src: { run: run.ref.run, file: 'err.log', byte: 0 } }));
}

const describeErrorOutput = (stderr: string): string =>
  stderr === '' ? 'Its error output is empty too.' : `Its error output says:\n${stderr.slice(-STDERR_SHOWN_CHARS)}`;

/** An earlier server may have reported it. A run without output can have no other notice. */
function isReported(session: SessionActor, run: RunReader): boolean {
  const { journal } = session.context.deps;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const events = journal.before(session.state.id, before, PAGE);
    if (events.some((event) => event.type === 'notice.shown' && event.src?.run === run.ref.run)) return true;
    if (events.length < PAGE || events.some((event) => event.type === 'run.opened' && event.run === run.ref.run)) return false;
    before = events[0]?.seq ?? 0;
  }
}
