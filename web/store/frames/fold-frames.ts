import { applyDelta, dropDelta, replaceLive } from '../../../src/domain/transcript/live.ts';
import { append, openTranscript, type Transcript } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { withWaiting } from '../approvals/pending-requests.ts';
import { withPlans } from '../plans/plan-news.ts';
import type { AppState, OpenSession } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import { withMoves } from './panel.ts';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

export interface Folded {
  readonly state: AppState;
  /** Sessions with missing text. */
  readonly gaps: ReadonlySet<string>;
}

/** Applies all frames of one render at once, so that a flood of them costs one store update. */
export function foldFrames(state: AppState, frames: readonly ServerFrame[], now: number): Folded {
  const gaps = new Set<string>();
  let next = state;
  for (const run of runsOf(frames)) {
    next = Array.isArray(run) ? withEvents(next, run) : foldFrame(next, run, gaps, now);
  }
  return { state: settleAcknowledged(next), gaps };
}

/** Consecutive events of one session are folded together. */
function runsOf(frames: readonly ServerFrame[]): readonly (ServerFrame | FrameOf<'event'>[])[] {
  const runs: (ServerFrame | FrameOf<'event'>[])[] = [];
  for (const frame of frames) {
    const last = runs.at(-1);
    if (frame.type !== 'event') runs.push(frame);
    else if (Array.isArray(last) && last[0]?.sessionId === frame.sessionId) last.push(frame);
    else runs.push([frame]);
  }
  return runs;
}

function withEvents(state: AppState, frames: readonly FrameOf<'event'>[]): AppState {
  const sessionId = frames[0]?.sessionId ?? '';
  const events: Event[] = frames.map((frame) => frame.event);
  return change(state, sessionId, (transcript) => append(transcript, events));
}

function foldFrame(state: AppState, frame: ServerFrame, gaps: Set<string>, now: number): AppState {
  switch (frame.type) {
    case 'snapshot':
      return withSnapshot(state, frame);
    case 'delta':
      return withDelta(state, frame, gaps);
    case 'delta.dropped':
      return change(state, frame.sessionId, (transcript) => dropDelta(transcript, frame.itemId));
    case 'sessions':
      return withList(state, frame.sessions);
    case 'status':
      return withStatus(state, frame);
    case 'index':
      return withIndex(state, frame);
    case 'activity':
      return { ...state, panel: withMoves(state.panel, frame.sessionId, frame.moves) };
    case 'waiting':
      return withWaiting(state, frame, now);
    case 'plans':
      return withPlans(state, frame);
    case 'seen':
      return withSeen(state, frame);
    case 'notice':
      return withNotice(state, frame.level, frame.text);
    case 'problems':
      return { ...state, problems: frame.problems };
    case 'machines':
      return { ...state, machines: frame.machines };
    case 'refused':
      return withRefusal(state, frame);
    case 'event':
      return withEvents(state, [frame]);
    case 'welcome':
    case 'plan':
    case 'ack':
    case 'resubscribe':
    case 'pong':
      return state;
  }
}

function withSnapshot(state: AppState, frame: FrameOf<'snapshot'>): AppState {
  const known = state.open.get(frame.sessionId);
  const merged = known === undefined ? undefined : joined(known.transcript, frame);
  const base = merged ?? openTranscript(frame.events, frame.session.queue);
  const older = merged === undefined ? 'idle' : (known?.older ?? 'idle');
  const opened = withOpen(state, frame.sessionId, { jumps: 0, ...known, transcript: replaceLive(base, frame.partial), older });
  return withSession(opened, frame.session);
}

/** The transcript we have plus the snapshot's events; undefined if there is a gap between them. */
function joined(current: Transcript, frame: FrameOf<'snapshot'>): Transcript | undefined {
  if (current.lastSeq === 0 || frame.seq < current.lastSeq) return undefined;
  const first = frame.events[0]?.seq ?? frame.seq + 1;
  if (first > current.lastSeq + 1 || hasDiverged(current, first, frame.events)) return undefined;
  return append(current, frame.events);
}

/** Another program continued from an earlier point: later events on this page are no longer part of the conversation. */
function hasDiverged(current: Transcript, first: number, events: readonly Event[]): boolean {
  const known = new Set(events.map(({ seq }) => seq));
  return current.events.some(({ seq }) => seq >= first && !known.has(seq));
}

function withDelta(state: AppState, frame: FrameOf<'delta'>, gaps: Set<string>): AppState {
  return change(state, frame.sessionId, (transcript) => {
    const result = applyDelta(transcript, frame);
    if (result.gap) gaps.add(frame.sessionId);
    return result.transcript;
  });
}

function change(state: AppState, sessionId: string, by: (transcript: Transcript) => Transcript): AppState {
  const known = state.open.get(sessionId);
  if (known === undefined) return state;
  const transcript = by(known.transcript);
  return transcript === known.transcript ? state : withOpen(state, sessionId, { ...known, transcript });
}

export const withOpen = (state: AppState, sessionId: string, opened: OpenSession): AppState => ({
  ...state,
  open: new Map(state.open).set(sessionId, opened),
});

/** The server sends the deck's sessions; of the thousands of past ones the page keeps those it has seen. */
function withList(state: AppState, listed: readonly Session[]): AppState {
  const seen = [...state.sessions].filter(([, session]) => session.past !== undefined);
  return { ...state, listKnown: true, sessions: new Map([...seen, ...listed.map((session) => [session.id, session] as const)]) };
}

/** Marks come only from the server: a page that was offline has none of its own. */
const withSeen = (state: AppState, { reset, since, marks }: FrameOf<'seen'>): AppState => ({
  ...state,
  seen: { since, marks: reset ? marks : { ...state.seen?.marks, ...marks } },
});

const withIndex = (state: AppState, { type: _, ...index }: FrameOf<'index'>): AppState => ({ ...state, index });

function withStatus(state: AppState, frame: FrameOf<'status'>): AppState {
  if (frame.deleted) return withoutSession(state, frame.sessionId);
  const session = frame.session ?? state.sessions.get(frame.sessionId);
  if (session === undefined || isInactivePast(state, session)) return state;
  return withSession(state, { ...session, status: frame.status });
}

/** Thousands of inactive past sessions that this page has never shown are imported and announced: they belong in the list only. */
const isInactivePast = (state: AppState, session: Session): boolean =>
  session.past !== undefined && session.control !== 'elsewhere' && !state.sessions.has(session.id) && INACTIVE.has(session.status);

const INACTIVE: ReadonlySet<Session['status']> = new Set(['idle', 'sleeping', 'ended', 'failed']);

export const withSession = (state: AppState, session: Session): AppState => ({ ...state, sessions: new Map(state.sessions).set(session.id, session) });

function withoutSession(state: AppState, sessionId: string): AppState {
  const sessions = new Map(state.sessions);
  const open = new Map(state.open);
  sessions.delete(sessionId);
  open.delete(sessionId);
  return { ...state, sessions, open, missing: new Set(state.missing).add(sessionId) };
}

/** A refusal of something other than our message: a missing session, or a notice. */
function withRefusal(state: AppState, frame: FrameOf<'refused'>): AppState {
  if (frame.code === 'not-found' && frame.commandId === undefined && frame.sessionId !== undefined) {
    return { ...state, missing: new Set(state.missing).add(frame.sessionId) };
  }
  return withNotice(state, 'error', frame.message);
}

/** Once the event is in the transcript, the acknowledged entry is no longer shown. */
function settleAcknowledged(state: AppState): AppState {
  const waiting = state.acknowledged.filter(({ entry, seq }) => (state.open.get(entry.sessionId)?.transcript.lastSeq ?? seq) < seq);
  return waiting.length === state.acknowledged.length ? state : { ...state, acknowledged: waiting };
}
