import { constants } from 'node:os';
import type { RunFiles } from './files.ts';
import type { Reader } from './follow.ts';
import type { RunEnd } from './host.ts';
import type { HostLimits } from './limits.ts';
import type { Bells } from './ring-feeders.ts';
import { isShellAlive, readRunState } from './state.ts';
import { readTail } from './tail.ts';

export interface Followed {
  readonly reader: Reader;
  readonly openedAt: number;
  identityAt: number;
  goneAt?: number;
  isClaiming: boolean;
}

export interface CheckOptions {
  readonly limits: HostLimits;
  readonly bells: Bells;
  /** Makes sure that a run that has not started never will. */
  claim(files: RunFiles): Promise<unknown>;
}

/** Decides from the files whether the run is over. */
export function checkEnded(followed: Followed, options: CheckOptions): void {
  const { reader } = followed;
  if (reader.isClosed) return;
  const state = readRunState(reader.files);
  switch (state.phase) {
    case 'live':
      break;
    case 'ended':
      reader.finish(endOf(reader.files, state.code));
      break;
    case 'absent':
      reader.finish(endOf(reader.files));
      break;
    case 'starting':
      abandonWhenLate(followed, options);
      break;
    case 'died':
      giveUpWhenSilent(followed, options);
      break;
  }
}

/** The shell may be about to write the status. If the shell is gone too, nobody will write it, and the feeder must end. */
function giveUpWhenSilent(followed: Followed, { limits, bells }: CheckOptions): void {
  const { reader } = followed;
  const now = performance.now();
  followed.goneAt ??= now;
  if (isShellAlive(reader.files) && now - followed.goneAt < limits.exitMs) return;
  const state = readRunState(reader.files);
  bells.end(reader.files.bell);
  reader.finish(state.phase === 'ended' ? endOf(reader.files, state.code) : endOf(reader.files));
}

function abandonWhenLate(followed: Followed, options: CheckOptions): void {
  if (followed.isClaiming || performance.now() - followed.openedAt < options.limits.startMs) return;
  followed.isClaiming = true;
  const isOver = (): void => {
    followed.isClaiming = false;
  };
  // If the run can't be claimed now (no file descriptors left, or the folder is missing), the next sweep tries again.
  options
    .claim(followed.reader.files)
    .finally(isOver)
    .then(() => checkEnded(followed, options))
    .catch(() => undefined);
}

/** A shell reports a signal as 128 plus its number. */
function endOf(files: RunFiles, code?: number): RunEnd {
  const stderrTail = readTail(files.errors);
  if (code === undefined) return { stderrTail };
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? { code, stderrTail } : { code, signal, stderrTail };
}
