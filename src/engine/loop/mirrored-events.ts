import { evolve } from '../../domain/session/evolve.ts';
import type { SessionState } from '../../domain/session/state.ts';
import type { Anchor } from '../../journal/mirror.ts';
import { lineOf } from '../../journal/rebuild/merge.ts';
import type { MirroredEvent } from '../../journal/rebuild/mirror-file.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';

/** What the mirror tells of a session, applied out in order, each event when the reading of the lines has come to where it happened. */
export class MirroredPast {
  /** How many have been applied out. */
  private applied = 0;
  /** The part that is of the present run. */
  private span = { from: 0, end: 0 };

  constructor(private readonly mirrored: readonly MirroredEvent[]) {}

  agent(): AgentId | undefined {
    for (const { event } of this.mirrored) if (event.type === 'session.created') return event.agent;
    return undefined;
  }

  /** Goes to the beginning of a run: the next ones are of its span, up to the next run. */
  enter(state: SessionState, run: RunId): SessionState {
    const opened = this.mirrored.findIndex(({ event }) => event.type === 'run.opened' && event.run === run);
    const next = this.mirrored.findIndex(({ event }, index) => index > opened && event.type === 'run.opened');
    const end = next < 0 ? this.mirrored.length : next;
    // One that nobody is known to have opened comes behind all others.
    this.span = opened < 0 ? { from: this.mirrored.length, end: this.mirrored.length } : { from: opened, end };
    return this.applyTo(state, opened + 1, () => true);
  }

  /** All that happened before this line was read. */
  before(state: SessionState, line: Anchor): SessionState {
    return this.applyTo(state, this.span.end, (one, now) => isBefore(one, line, now));
  }

  untilNextRun(state: SessionState): SessionState {
    return this.applyTo(state, this.span.end, () => true);
  }

  hasExit(run: RunId): boolean {
    return this.mirrored.some(({ event }) => event.type === 'session.exited' && event.run === run);
  }

  /** Mirrors of older versions tell no status. */
  hasStatus(): boolean {
    return this.mirrored.slice(this.span.from, this.span.end).some(({ event }) => event.type === 'session.status');
  }

  isLastRun(): boolean {
    return this.span.end === this.mirrored.length;
  }

  /** Lines that were passed over then must be passed over now. */
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

/** Without a place (a crash took it) an answer still comes after its request. */
function isBefore({ event, anchor }: MirroredEvent, line: Anchor, state: SessionState): boolean {
  const own = lineOf(event);
  if (own?.run === line.run) return own.byte < line.byte;
  if (anchor !== undefined) return anchor.run !== line.run || anchor.byte <= line.byte;
  return event.type !== 'permission.resolved' || state.permissions.some((open) => open.requestId === event.requestId);
}
