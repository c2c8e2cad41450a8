import { applyDelta, dropDelta, replaceLive } from '../../../src/domain/transcript/live.ts';
import { append, openTranscript, type Transcript } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { AppState, OpenSession } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import { withMoves } from './panel.ts';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

export interface Folded {
  readonly state: AppState;
  /** Sessions of which text was missed. */
  readonly gaps: ReadonlySet<string>;
}

/** All frames of one drawn picture at once, so that a flood of them costs one change of the store. */
export function foldFrames(state: AppState, frames: readonly ServerFrame[]): Folded {
  const gaps = new Set<string>();
  let next = state;
  for (const run of runsOf(frames)) {
    next = Array.isArray(run) ? withEvents(next, run) : foldFrame(next, run, gaps);
  }
  return { state: settleAcknowledged(next), gaps };
}

/** Events of one session that follow each other are folded together. */
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

function foldFrame(state: AppState, frame: ServerFrame, gaps: Set<string>): AppState {
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
    case 'notice':
      return withNotice(state, frame.level, frame.text);
    case 'problems':
      return { ...state, problems: frame.problems };
    case 'refused':
      return withRefusal(state, frame);
    case 'event':
      return withEvents(state, [frame]);
    case 'welcome':
    case 'ack':
    case 'resubscribe':
    case 'pong':
      return state;
  }
}

function withSnapshot(state: AppState, frame: FrameOf<'snapshot'>): AppState {
  const known = state.open.get(frame.sessionId);
  const whole = known === undefined ? undefined : joined(known.transcript, frame);
  const base = whole ?? openTranscript(frame.events, frame.session.queue);
  const older = whole === undefined ? 'idle' : (known?.older ?? 'idle');
  const opened = withOpen(state, frame.sessionId, { jumps: 0, ...known, transcript: replaceLive(base, frame.partial), older });
  return withSession(opened, frame.session);
}

/** What we hold with the news added, unless they do not meet: then the snapshot stands alone. */
function joined(held: Transcript, frame: FrameOf<'snapshot'>): Transcript | undefined {
  if (held.lastSeq === 0 || frame.seq < held.lastSeq) return undefined;
  const first = frame.events[0]?.seq ?? frame.seq + 1;
  if (first > held.lastSeq + 1 || hasTurned(held, first, frame.events)) return undefined;
  return append(held, frame.events);
}

/** Another program went on from an earlier place: what this page holds beyond that is no longer the end of the conversation. */
function hasTurned(held: Transcript, first: number, events: readonly Event[]): boolean {
  const told = new Set(events.map(({ seq }) => seq));
  return held.events.some(({ seq }) => seq >= first && !told.has(seq));
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

/** The server tells what belongs to the deck; of the thousands beside it this page goes on knowing those that it has met. */
function withList(state: AppState, told: readonly Session[]): AppState {
  const met = [...state.sessions].filter(([, session]) => session.past !== undefined);
  return { ...state, listKnown: true, sessions: new Map([...met, ...told.map((session) => [session.id, session] as const)]) };
}

const withIndex = (state: AppState, { type: _, ...index }: FrameOf<'index'>): AppState => ({ ...state, index });

function withStatus(state: AppState, frame: FrameOf<'status'>): AppState {
  if (frame.deleted) return withoutSession(state, frame.sessionId);
  const session = frame.session ?? state.sessions.get(frame.sessionId);
  if (session === undefined || isStillRecord(state, session)) return state;
  return withSession(state, { ...session, status: frame.status });
}

/** Thousands of records are read, and told of, that nobody has met and in which nothing happens: they belong to the list alone. */
const isStillRecord = (state: AppState, session: Session): boolean =>
  session.past !== undefined && session.control !== 'elsewhere' && !state.sessions.has(session.id) && STILL.has(session.status);

const STILL: ReadonlySet<Session['status']> = new Set(['idle', 'sleeping', 'ended', 'failed']);

export const withSession = (state: AppState, session: Session): AppState => ({ ...state, sessions: new Map(state.sessions).set(session.id, session) });

function withoutSession(state: AppState, sessionId: string): AppState {
  const sessions = new Map(state.sessions);
  const open = new Map(state.open);
  sessions.delete(sessionId);
  open.delete(sessionId);
  return { ...state, sessions, open, missing: new Set(state.missing).add(sessionId) };
}

/** A refusal that answers no message of ours: a session that is not there, or something worth a notice. */
function withRefusal(state: AppState, frame: FrameOf<'refused'>): AppState {
  if (frame.code === 'not-found' && frame.commandId === undefined && frame.sessionId !== undefined) {
    return { ...state, missing: new Set(state.missing).add(frame.sessionId) };
  }
  return withNotice(state, 'error', frame.message);
}

/** Once the event is in the transcript, the page no longer has to speak for it. */
function settleAcknowledged(state: AppState): AppState {
  const waiting = state.acknowledged.filter(({ entry, seq }) => (state.open.get(entry.sessionId)?.transcript.lastSeq ?? seq) < seq);
  return waiting.length === state.acknowledged.length ? state : { ...state, acknowledged: waiting };
}
