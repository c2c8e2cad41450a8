import { evolve } from '../../domain/session/evolve.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { Anchor } from '../../journal/mirror.ts';
import { lineOf } from '../../journal/rebuild/merge.ts';
import type { MirroredEvent } from '../../journal/rebuild/mirror-file.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';

/** The mirror's events of a session, applied in order: each one when reading has reached the line where it happened. */
export class MirroredPast {
  /** How many events have been applied. */
  private applied = 0;
  /** The events of the current run. */
  private span = { from: 0, end: 0 };

  constructor(private readonly mirrored: readonly MirroredEvent[]) {}

  agent(): AgentId | undefined {
    for (const { event } of this.mirrored) if (event.type === 'session.created') return event.agent;
    return undefined;
  }

  /** Moves to the start of a run. Its span ends at the next run. */
  enter(state: SessionState, run: RunId): SessionState {
    const opened = this.mirrored.findIndex(({ event }) => event.type === 'run.opened' && event.run === run);
    const next = this.mirrored.findIndex(({ event }, index) => index > opened && event.type === 'run.opened');
    const end = next < 0 ? this.mirrored.length : next;
    // A run without a known start comes after all others.
    this.span = opened < 0 ? { from: this.mirrored.length, end: this.mirrored.length } : { from: opened, end };
    return this.applyTo(state, opened + 1, () => true);
  }

  /** Applies everything that happened before this line was read. */
  before(state: SessionState, line: Anchor): SessionState {
    return this.applyTo(state, this.span.end, (one, now) => isBefore(one, line, now));
  }

  untilNextRun(state: SessionState): SessionState {
    return this.applyTo(state, this.span.end, () => true);
  }

  hasExit(run: RunId): boolean {
    return this.mirrored.some(({ event }) => event.type === 'session.exited' && event.run === run);
  }

  hasCheckpoints(): boolean {
    return this.mirrored.some(({ event }) => event.type === 'checkpoint.made' || event.type === 'checkpoint.skipped');
  }

  /** Mirrors of older versions contain no status. */
  hasStatus(): boolean {
    return this.mirrored.slice(this.span.from, this.span.end).some(({ event }) => event.type === 'session.status');
  }

  isLastRun(): boolean {
    return this.span.end === this.mirrored.length;
  }

  /** Lines that were skipped then must be skipped now. */
  lostLines(run: RunId): (byte: number) => boolean {
    const lost = new Set(this.mirrored.flatMap(({ event }) => (event.type === 'output.lost' && event.src?.run === run ? [event.fromByte] : [])));
    return (byte) => lost.has(byte);
  }

  private applyTo(from: SessionState, end: number, isDue: (one: MirroredEvent, state: SessionState) => boolean): SessionState {
    let state = from;
    for (let one = this.mirrored[this.applied]; one && this.applied < end && isDue(one, state); one = this.mirrored[this.applied]) {
      state = evolve(state, one.event);
      this.applied += 1;
    }
    return state;
  }
}

/** Without a position (lost in a crash), an answer still comes after its request. */
function isBefore({ event, anchor }: MirroredEvent, line: Anchor, state: SessionState): boolean {
  const own = lineOf(event);
  if (own?.run === line.run) return own.byte < line.byte;
  if (anchor !== undefined) return anchor.run !== line.run || anchor.byte <= line.byte;
  return event.type !== 'permission.resolved' || state.permissions.some((open) => open.requestId === event.requestId);
}
