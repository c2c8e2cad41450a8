import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { SessionUpdates } from '../session-list/list-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { foldFrames } from './fold-frames.ts';

/** Called after a batch of frames was applied. */
export interface FrameListeners {
  readonly onUpdates: (updates: SessionUpdates) => void;
  /** The complete list arrived. */
  readonly onList: () => void;
  readonly onWelcome: () => void;
}

/** Collects frames until it is time to render. */
export function frameBuffer({ store, client, options }: StoreContext, listeners: FrameListeners): (frame: ServerFrame) => void {
  let buffer: ServerFrame[] = [];
  let isDue: 'later' | 'soon' | undefined;
  let paceMs = 0;
  let plans = 0;
  let delays = 0;
  const plan = (due: 'later' | 'soon', afterMs = due === 'later' ? paceMs : 0) => {
    isDue = due;
    const number = ++plans;
    options.schedule(() => flush(number), afterMs);
  };
  const flush = (made: number) => {
    // A more urgent plan replaced this one.
    if (made !== plans) return;
    const typingMs = delays < MAX_DELAYS && buffer.every(isOfTranscript) ? (options.typingMs?.() ?? 0) : 0;
    delays = typingMs > 0 ? delays + 1 : 0;
    if (typingMs > 0) return plan(isDue ?? 'later', typingMs);
    const { frames, rest } = parted(buffer, nextOf(buffer, isDue));
    [buffer, isDue] = [rest, undefined];
    paceMs = paceAfter(textsIn(frames), rest.length > 0);
    draw(frames);
    if (rest.length > 0) plan(rest.some(({ type }) => type !== 'delta') ? 'soon' : 'later');
  };
  const draw = (frames: readonly ServerFrame[]) => {
    const { state, gaps } = foldFrames(store.getState(), frames, options.now());
    store.setState(state, true);
    for (const sessionId of gaps) client().resubscribe(sessionId);
    if (frames.some((frame) => frame.type === 'status')) listeners.onUpdates(updatesIn(frames));
    if (frames.some((frame) => frame.type === 'sessions')) listeners.onList();
    if (frames.some((frame) => frame.type === 'welcome')) listeners.onWelcome();
  };
  return (frame) => {
    buffer.push(frame);
    const isText = frame.type === 'delta';
    if (isDue === 'soon' || (isDue === 'later' && isText)) return;
    plan(isText ? 'later' : 'soon');
  };
}

/** The session to render next: one with events, or the one whose text has waited longest. Undefined if there are only other frames. */
function nextOf(frames: readonly ServerFrame[], isDue: 'later' | 'soon' | undefined): string | undefined {
  const isNext = (frame: ServerFrame): frame is OfTranscript =>
    isDue === 'soon' ? frame.type === 'event' || frame.type === 'snapshot' : frame.type === 'delta';
  return frames.find(isNext)?.sessionId;
}

/** All frames, but transcripts of only one session if one is given: the others get their own renders, so that none takes long. */
function parted(all: readonly ServerFrame[], sessionId: string | undefined): { readonly frames: readonly ServerFrame[]; readonly rest: ServerFrame[] } {
  const isNow = (frame: ServerFrame): boolean => sessionId === undefined || !isOfTranscript(frame) || frame.sessionId === sessionId;
  return { frames: all.filter(isNow), rest: all.filter((frame) => !isNow(frame)) };
}

type OfTranscript = Extract<ServerFrame, { type: 'event' | 'snapshot' | 'delta' | 'delta.dropped' }>;
const isOfTranscript = (frame: ServerFrame): frame is OfTranscript =>
  frame.type === 'event' || frame.type === 'snapshot' || frame.type === 'delta' || frame.type === 'delta.dropped';

/** A key held down must not postpone text forever. */
const MAX_DELAYS = 4;

/** For each text in the last render. */
const PACE_MS = 20;
const MAX_PACE_MS = 150;

/** A single text renders word by word. The more texts stream, the slower: nobody reads ten at a time, and everything else must respond at once. */
const paceAfter = (texts: number, areOthersWaiting: boolean): number => (texts < 2 && !areOthersWaiting ? 0 : Math.min(MAX_PACE_MS, texts * PACE_MS));

const textsIn = (frames: readonly ServerFrame[]): number =>
  new Set(frames.flatMap((frame) => (frame.type === 'delta' ? [`${frame.sessionId} ${frame.itemId}`] : []))).size;

function updatesIn(frames: readonly ServerFrame[]): SessionUpdates {
  const statuses = frames.filter((frame) => frame.type === 'status');
  return {
    changed: statuses.flatMap(({ session, deleted }) => (session === undefined || deleted ? [] : [session])),
    deleted: statuses.flatMap(({ sessionId, deleted }) => (deleted ? [sessionId] : [])),
  };
}
