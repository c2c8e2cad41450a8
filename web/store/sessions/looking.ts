import type { Event } from '../../../src/protocol/event.ts';
import type { Desk } from '../cockpit.ts';
import { withOpen } from '../frames/fold-frames.ts';
import type { OpenSession, Reach } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import { wordsOf } from './steering.ts';
import { letGo } from './trim-window.ts';
import { AROUND, heldBelow, lookedAt, PAGE, withNewer, withOlder } from './window.ts';

/** Where in a session a person looks. */
export interface Looking {
  loadOlder(sessionId: string): Promise<void>;
  /** Towards the end, while the page looks at something before it. */
  loadNewer(sessionId: string): Promise<void>;
  /** Opens a window around an event, however far from the end it lies and on whichever branch. */
  lookAt(sessionId: string, seq: number): Promise<void>;
  /** Another way through a past session, at its end. */
  lookAtBranch(sessionId: string, branch: number, lastSeq: number): Promise<void>;
  lookAtEnd(sessionId: string): void;
  /** Whoever is at the end needs no more of what came long before it. */
  letGo(sessionId: string): void;
}

export function looking(desk: Desk): Looking {
  return {
    loadOlder: (sessionId) => loadOlder(desk, sessionId),
    loadNewer: (sessionId) => loadNewer(desk, sessionId),
    lookAt: (sessionId, seq) => lookAt(desk, sessionId, seq),
    lookAtBranch: (sessionId, branch, lastSeq) => lookAtBranch(desk, sessionId, branch, lastSeq),
    letGo: (sessionId) => change(desk, sessionId, letGo),
    lookAtEnd: (sessionId) => change(desk, sessionId, ({ away: _, ...end }) => ({ ...end, jumps: end.jumps + 1 })),
  };
}

function change({ store }: Desk, sessionId: string, by: (opened: OpenSession) => OpenSession): void {
  store.setState((state) => {
    const opened = state.open.get(sessionId);
    const changed = opened === undefined ? undefined : by(opened);
    return changed === undefined || changed === opened ? state : withOpen(state, sessionId, changed);
  });
}

async function loadOlder(desk: Desk, sessionId: string): Promise<void> {
  const opened = desk.store.getState().open.get(sessionId);
  const at = opened?.away ?? opened;
  if (at === undefined || at.older === 'loading' || at.older === 'none' || at.transcript.firstSeq <= 1) return;
  const { firstSeq } = at.transcript;
  change(desk, sessionId, (now) => marked(now, 'older', 'loading'));
  const events = await desk.options.api.eventsBefore(sessionId, firstSeq, PAGE, opened?.away?.branch).catch(() => undefined);
  // Somebody may look elsewhere by now: then these events belong to no window.
  change(desk, sessionId, (now) => ((now.away ?? now).transcript.firstSeq === firstSeq ? older(now, events) : now));
}

const older = (opened: OpenSession, events: readonly Event[] | undefined): OpenSession =>
  events === undefined ? marked(opened, 'older', 'failed') : withOlder(opened, events);

function marked(opened: OpenSession, side: 'older' | 'newer', reach: Reach): OpenSession {
  if (opened.away !== undefined) return { ...opened, away: { ...opened.away, [side]: reach } };
  return side === 'older' ? { ...opened, older: reach } : opened;
}

async function loadNewer(desk: Desk, sessionId: string): Promise<void> {
  const opened = desk.store.getState().open.get(sessionId);
  if (opened?.away === undefined || opened.away.newer === 'loading' || opened.away.newer === 'none') return;
  const held = heldBelow(opened);
  if (held !== undefined) return change(desk, sessionId, (now) => withNewer(now, held));
  const { lastSeq } = opened.away.transcript;
  change(desk, sessionId, (now) => marked(now, 'newer', 'loading'));
  const events = await desk.options.api.eventsAfter(sessionId, lastSeq, PAGE, opened.away.branch).catch(() => undefined);
  change(desk, sessionId, (now) => {
    if (now.away?.transcript.lastSeq !== lastSeq) return now;
    return events === undefined ? marked(now, 'newer', 'failed') : withNewer(now, events);
  });
}

async function lookAt(desk: Desk, sessionId: string, seq: number): Promise<void> {
  try {
    const branch = await branchWith(desk, sessionId, seq);
    const { api } = desk.options;
    const [before, after] = await Promise.all([api.eventsBefore(sessionId, seq + 1, AROUND, branch), api.eventsAfter(sessionId, seq, AROUND, branch)]);
    change(desk, sessionId, (now) => lookedAt(now, before, after, branch));
  } catch (error) {
    desk.store.setState((state) => withNotice(state, 'error', `That place could not be opened: ${wordsOf(error)}`));
  }
}

/** The branch that has the event; undefined for the one with which the agent would go on, and when no branch has it. */
async function branchWith({ store, options: { api } }: Desk, sessionId: string, seq: number): Promise<number | undefined> {
  if ((store.getState().sessions.get(sessionId)?.past?.branches ?? 1) < 2) return undefined;
  const isIn = async (branch: number | undefined) => (await api.eventsBefore(sessionId, seq + 1, 1, branch))[0]?.seq === seq;
  if (await isIn(undefined)) return undefined;
  for (const { branch, active, lastSeq } of await api.branches(sessionId)) {
    if (!active && lastSeq >= seq && (await isIn(branch))) return branch;
  }
  return undefined;
}

async function lookAtBranch(desk: Desk, sessionId: string, branch: number, lastSeq: number): Promise<void> {
  try {
    const events = await desk.options.api.eventsBefore(sessionId, lastSeq + 1, PAGE, branch);
    change(desk, sessionId, (now) => lookedAt(now, events, [], branch));
  } catch (error) {
    desk.store.setState((state) => withNotice(state, 'error', `This way could not be opened: ${wordsOf(error)}`));
  }
}
