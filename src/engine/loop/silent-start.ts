import type { RunBox } from './run-reader.ts';
import type { SessionBox } from './session-actor.ts';

/** Agents were seen to say their first word within 4 s, also on a loaded machine: past this something is wrong. */
const SILENT_START_MS = 15_000;
const STDERR_SHOWN_CHARS = 2000;
const PAGE = 200;

/** A run that has printed no line within the limit is told to people once, with its own error output. */
export function watchForSilence(box: SessionBox, run: RunBox): void {
  if (run.outByte > 0) return;
  const limitMs = box.world.deps.settings.silentStartMs ?? SILENT_START_MS;
  run.silence = box.world.deps.problems.after('check on agents that print nothing', limitMs, () => box.work(() => tellSilence(box, run, limitMs)));
  run.silence.unref();
}

async function tellSilence(box: SessionBox, run: RunBox, limitMs: number): Promise<void> {
  const stderr = await box.world.deps.host.stderrTail(run.ref);
  const isOver = box.run !== run || run.isGone || run.outByte > 0 || box.state.deleted || box.world.closing;
  if (isOver || isTold(box, run)) return;
  const text = `${run.adapter.title} has printed nothing for ${limitMs / 1000} s. ${inWords(stderr.trim())}`;
  box.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text, src: { run: run.ref.run, file: 'err.log', byte: 0 } }));
}

const inWords = (stderr: string): string => (stderr === '' ? 'Its error output is empty too.' : `Its error output says:\n${stderr.slice(-STDERR_SHOWN_CHARS)}`);

/** An earlier server may have told it. A run without a line can have no other notice than this one. */
function isTold(box: SessionBox, run: RunBox): boolean {
  const { journal } = box.world.deps;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const events = journal.before(box.state.id, before, PAGE);
    if (events.some((event) => event.type === 'notice.shown' && event.src?.run === run.ref.run)) return true;
    if (events.length < PAGE || events.some((event) => event.type === 'run.opened' && event.run === run.ref.run)) return false;
    before = events[0]?.seq ?? 0;
  }
}
