import { openTranscript, prepend, type Transcript, windowOver } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { AwayWindow, OpenSession, Reach } from '../state/app-state.ts';

/** Events fetched at a time. */
export const PAGE = 200;
/** Events on either side of the one to show. */
export const AROUND = 80;
/** A window never has more: folding this many takes a few milliseconds, however long the session is. */
const WINDOW = 3000;
/** If fewer events separate a window from the end, they are joined at once. */
const NEAR = 2 * PAGE;

/** Adds older events at the top. A full window drops its newest ones and so leaves the end, which keeps growing separately. */
export function withOlder(opened: OpenSession, events: readonly Event[]): OpenSession {
  const older: Reach = events.length === 0 ? 'none' : 'idle';
  const { away, transcript } = opened;
  if (away !== undefined) return { ...opened, away: { ...grownUp(away.transcript, events, away.newer), older, ...branchOf(away) } };
  if (transcript.events.length + events.length <= WINDOW) return { ...opened, older, transcript: prepend(transcript, events) };
  return { ...opened, away: { ...grownUp(transcript, events, 'idle'), older } };
}

function grownUp(transcript: Transcript, events: readonly Event[], newer: Reach): Pick<AwayWindow, 'transcript' | 'newer'> {
  const whole = [...events.filter((event) => event.seq < transcript.firstSeq), ...transcript.events];
  return { transcript: windowOver({ ...transcript, live: new Map() }, whole.slice(0, WINDOW)), newer: whole.length > WINDOW ? 'idle' : newer };
}

const branchOf = ({ branch }: AwayWindow): Pick<AwayWindow, 'branch'> => (branch === undefined ? {} : { branch });

/** Adds newer events at the bottom until the window reaches the end of the session and merges with it. */
export function withNewer(opened: OpenSession, events: readonly Event[]): OpenSession {
  const { away, transcript: end } = opened;
  if (away === undefined) return opened;
  const last = events.at(-1)?.seq ?? away.transcript.lastSeq;
  if (away.branch === undefined && (events.length === 0 || last >= end.firstSeq)) return joined(opened, away, events);
  return { ...opened, away: grownDown(away, events, events.length === 0 ? 'none' : 'idle') };
}

function grownDown(away: AwayWindow, events: readonly Event[], newer: Reach): AwayWindow {
  const whole = [...away.transcript.events, ...events.filter((event) => event.seq > away.transcript.lastSeq)];
  return { ...away, transcript: windowOver(away.transcript, whole.slice(-WINDOW)), newer, older: whole.length > WINDOW ? 'idle' : away.older };
}

/** Events that the page already has are not fetched again. */
export const loadedBelow = ({ away, transcript: end }: OpenSession): readonly Event[] | undefined => {
  if (away === undefined || away.branch !== undefined || away.transcript.lastSeq < end.firstSeq) return undefined;
  return end.events.filter((event) => event.seq > away.transcript.lastSeq).slice(0, PAGE);
};

function joined(opened: OpenSession, away: AwayWindow, events: readonly Event[]): OpenSession {
  const end = opened.transcript;
  const last = Math.max(away.transcript.lastSeq, events.at(-1)?.seq ?? 0);
  const reached = [...away.transcript.events, ...events.filter((event) => event.seq > away.transcript.lastSeq)];
  const rest = end.events.filter((event) => event.seq > last);
  if (rest.length > NEAR && reached.length + rest.length > WINDOW) return { ...opened, away: grownDown(away, events, 'idle') };
  const whole = [...reached, ...rest];
  const kept = whole.slice(-Math.max(WINDOW, rest.length + NEAR));
  const older = kept.length < whole.length ? 'idle' : away.older;
  return { transcript: windowOver(end, kept), older, jumps: opened.jumps };
}

/** A window around an event, or at the end of a branch. If it reaches the end of the session, it merges with it. */
export function windowAround(opened: OpenSession, before: readonly Event[], after: readonly Event[], branch?: number): OpenSession {
  const away: AwayWindow = {
    transcript: openTranscript([...before, ...after]),
    older: before.length === 0 ? 'none' : 'idle',
    newer: 'idle',
    ...(branch === undefined ? {} : { branch }),
  };
  return withNewer({ ...opened, away, jumps: opened.jumps + 1 }, after);
}

export const containsEvent = (transcript: Transcript, seq: number): boolean => transcript.events.some((event) => event.seq === seq);
