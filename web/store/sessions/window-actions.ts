import type { Event } from '../../../src/protocol/event.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { withOpen } from '../frames/fold-frames.ts';
import type { OpenSession, Reach } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';
import { trimWindow } from './trim-window.ts';
import { AROUND, loadedBelow, PAGE, windowAround, withNewer, withOlder } from './window.ts';

/** Moves the window that the page shows of a session. */
export interface WindowActions {
  loadOlder(sessionId: string): Promise<void>;
  /** Toward the end, while the window is before it. */
  loadNewer(sessionId: string): Promise<void>;
  /** Opens a window around an event, however far from the end and on any branch. */
  showEvent(sessionId: string, seq: number): Promise<void>;
  /** Opens another branch of a past session at its end. */
  showBranch(sessionId: string, branch: number, lastSeq: number): Promise<void>;
  showEnd(sessionId: string): void;
  /** Drops events far above the end while the user is at the end. */
  trimWindow(sessionId: string): void;
}

export function windowActions(context: StoreContext): WindowActions {
  return {
    loadOlder: (sessionId) => loadOlder(context, sessionId),
    loadNewer: (sessionId) => loadNewer(context, sessionId),
    showEvent: (sessionId, seq) => showEvent(context, sessionId, seq),
    showBranch: (sessionId, branch, lastSeq) => showBranch(context, sessionId, branch, lastSeq),
    trimWindow: (sessionId) => change(context, sessionId, trimWindow),
    showEnd: (sessionId) => change(context, sessionId, ({ away: _, ...end }) => ({ ...end, jumps: end.jumps + 1 })),
  };
}

function change({ store }: StoreContext, sessionId: string, by: (opened: OpenSession) => OpenSession): void {
  store.setState((state) => {
    const opened = state.open.get(sessionId);
    const changed = opened === undefined ? undefined : by(opened);
    return changed === undefined || changed === opened ? state : withOpen(state, sessionId, changed);
  });
}

async function loadOlder(context: StoreContext, sessionId: string): Promise<void> {
  const opened = context.store.getState().open.get(sessionId);
  const at = opened?.away ?? opened;
  if (at === undefined || at.older === 'loading' || at.older === 'none' || at.transcript.firstSeq <= 1) return;
  const { firstSeq } = at.transcript;
  change(context, sessionId, (now) => marked(now, 'older', 'loading'));
  const events = await context.options.api.eventsBefore(sessionId, firstSeq, PAGE, opened?.away?.branch).catch(() => undefined);
  // The window may have moved by now: then these events don't belong to it.
  change(context, sessionId, (now) => ((now.away ?? now).transcript.firstSeq === firstSeq ? older(now, events) : now));
}

const older = (opened: OpenSession, events: readonly Event[] | undefined): OpenSession =>
  events === undefined ? marked(opened, 'older', 'failed') : withOlder(opened, events);

function marked(opened: OpenSession, side: 'older' | 'newer', reach: Reach): OpenSession {
  if (opened.away !== undefined) return { ...opened, away: { ...opened.away, [side]: reach } };
  return side === 'older' ? { ...opened, older: reach } : opened;
}

async function loadNewer(context: StoreContext, sessionId: string): Promise<void> {
  const opened = context.store.getState().open.get(sessionId);
  if (opened?.away === undefined || opened.away.newer === 'loading' || opened.away.newer === 'none') return;
  const loaded = loadedBelow(opened);
  if (loaded !== undefined) return change(context, sessionId, (now) => withNewer(now, loaded));
  const { lastSeq } = opened.away.transcript;
  change(context, sessionId, (now) => marked(now, 'newer', 'loading'));
  const events = await context.options.api.eventsAfter(sessionId, lastSeq, PAGE, opened.away.branch).catch(() => undefined);
  change(context, sessionId, (now) => {
    if (now.away?.transcript.lastSeq !== lastSeq) return now;
    return events === undefined ? marked(now, 'newer', 'failed') : withNewer(now, events);
  });
}

async function showEvent(context: StoreContext, sessionId: string, seq: number): Promise<void> {
  try {
    const branch = await branchWith(context, sessionId, seq);
    const { api } = context.options;
    const [before, after] = await Promise.all([api.eventsBefore(sessionId, seq + 1, AROUND, branch), api.eventsAfter(sessionId, seq, AROUND, branch)]);
    change(context, sessionId, (now) => windowAround(now, before, after, branch));
  } catch (error) {
    context.store.setState((state) => withNotice(state, 'error', `Couldn’t open that message: ${messageOf(error)}`));
  }
}

/** The branch with the event; undefined for the one that the agent would continue, and if no branch has it. */
async function branchWith({ store, options: { api } }: StoreContext, sessionId: string, seq: number): Promise<number | undefined> {
  if ((store.getState().sessions.get(sessionId)?.past?.branches ?? 1) < 2) return undefined;
  const isIn = async (branch: number | undefined) => (await api.eventsBefore(sessionId, seq + 1, 1, branch))[0]?.seq === seq;
  if (await isIn(undefined)) return undefined;
  for (const { branch, active, lastSeq } of await api.branches(sessionId)) {
    if (!active && lastSeq >= seq && (await isIn(branch))) return branch;
  }
  return undefined;
}

async function showBranch(context: StoreContext, sessionId: string, branch: number, lastSeq: number): Promise<void> {
  try {
    const events = await context.options.api.eventsBefore(sessionId, lastSeq + 1, PAGE, branch);
    change(context, sessionId, (now) => windowAround(now, events, [], branch));
  } catch (error) {
    context.store.setState((state) => withNotice(state, 'error', `Couldn’t open that branch: ${messageOf(error)}`));
  }
}
