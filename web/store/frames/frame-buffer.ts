import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { Desk } from '../cockpit.ts';
import type { News } from '../session-list/list-state.ts';
import { foldFrames } from './fold-frames.ts';

/** Who is told what a drawn picture's worth of frames meant. */
export interface FrameEars {
  readonly onAsks: () => void;
  readonly onNews: (news: News) => void;
  /** The whole list was told: now, or because some of it was missed. */
  readonly onList: () => void;
  readonly onWelcome: () => void;
}

/** Gathers what the socket says until it is time to draw. */
export function frameBuffer({ store, client, options }: Desk, ears: FrameEars): (frame: ServerFrame) => void {
  let buffer: ServerFrame[] = [];
  let isDue: 'later' | 'soon' | undefined;
  let paceMs = 0;
  let plans = 0;
  let timesPutOff = 0;
  const plan = (due: 'later' | 'soon', afterMs = due === 'later' ? paceMs : 0) => {
    isDue = due;
    const number = ++plans;
    options.schedule(() => flush(number), afterMs);
  };
  const flush = (made: number) => {
    // An earlier plan was overtaken by what could not wait.
    if (made !== plans) return;
    const typingMs = timesPutOff < MOST_PUT_OFF && buffer.every(isOfTranscript) ? (options.typingMs?.() ?? 0) : 0;
    timesPutOff = typingMs > 0 ? timesPutOff + 1 : 0;
    if (typingMs > 0) return plan(isDue ?? 'later', typingMs);
    const { frames, rest } = parted(buffer, nextOf(buffer, isDue));
    [buffer, isDue] = [rest, undefined];
    paceMs = paceAfter(textsIn(frames), rest.length > 0);
    draw(frames);
    if (rest.length > 0) plan(rest.some(({ type }) => type !== 'delta') ? 'soon' : 'later');
  };
  const draw = (frames: readonly ServerFrame[]) => {
    const { state, gaps } = foldFrames(store.getState(), frames);
    store.setState(state, true);
    for (const sessionId of gaps) client().resubscribe(sessionId);
    if (frames.some(touchesPermissions)) ears.onAsks();
    if (frames.some((frame) => frame.type === 'status')) ears.onNews(newsOf(frames));
    if (frames.some((frame) => frame.type === 'sessions')) ears.onList();
    if (frames.some((frame) => frame.type === 'welcome')) ears.onWelcome();
  };
  return (frame) => {
    buffer.push(frame);
    const isText = frame.type === 'delta';
    if (isDue === 'soon' || (isDue === 'later' && isText)) return;
    plan(isText ? 'later' : 'soon');
  };
}

/** The session whose picture comes next: that in which something happened, or that whose words have waited longest. None when there is only other news. */
function nextOf(told: readonly ServerFrame[], isDue: 'later' | 'soon' | undefined): string | undefined {
  const isNext = (frame: ServerFrame): frame is OfTranscript =>
    isDue === 'soon' ? frame.type === 'event' || frame.type === 'snapshot' : frame.type === 'delta';
  return told.find(isNext)?.sessionId;
}

/** All that is told; of transcripts only that of one session, if one is named: what others say and do comes in pictures of their own, so that none takes long. */
function parted(told: readonly ServerFrame[], sessionId: string | undefined): { readonly frames: readonly ServerFrame[]; readonly rest: ServerFrame[] } {
  const isNow = (frame: ServerFrame): boolean => sessionId === undefined || !isOfTranscript(frame) || frame.sessionId === sessionId;
  return { frames: told.filter(isNow), rest: told.filter((frame) => !isNow(frame)) };
}

type OfTranscript = Extract<ServerFrame, { type: 'event' | 'snapshot' | 'delta' | 'delta.dropped' }>;
const isOfTranscript = (frame: ServerFrame): frame is OfTranscript =>
  frame.type === 'event' || frame.type === 'snapshot' || frame.type === 'delta' || frame.type === 'delta.dropped';

/** A key that is held down must not keep texts away for ever. */
const MOST_PUT_OFF = 4;

/** For each text of the last picture. */
const PACE_MS = 20;
const SLOWEST_MS = 150;

/** One text is drawn word by word. The more are written at once, the rarer: nobody reads ten at a time, and everything else shall answer at once. */
const paceAfter = (texts: number, areOthersWaiting: boolean): number => (texts < 2 && !areOthersWaiting ? 0 : Math.min(SLOWEST_MS, texts * PACE_MS));

const textsIn = (frames: readonly ServerFrame[]): number =>
  new Set(frames.flatMap((frame) => (frame.type === 'delta' ? [`${frame.sessionId} ${frame.itemId}`] : []))).size;

function newsOf(frames: readonly ServerFrame[]): News {
  const told = frames.filter((frame) => frame.type === 'status');
  return {
    changed: told.flatMap(({ session, deleted }) => (session === undefined || deleted ? [] : [session])),
    deleted: told.flatMap(({ sessionId, deleted }) => (deleted ? [sessionId] : [])),
  };
}

const touchesPermissions = (frame: ServerFrame): boolean =>
  frame.type === 'welcome' || frame.type === 'status' || (frame.type === 'event' && frame.event.type.startsWith('permission.'));
