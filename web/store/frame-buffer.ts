import type { ServerFrame } from '../../src/protocol/frame.ts';
import type { News } from '../library/list-state.ts';
import type { Desk } from './cockpit.ts';
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
  /** How many texts grew in the last picture. */
  let texts = 0;
  const flush = () => {
    if (isDue === undefined) return;
    const frames = buffer;
    [buffer, isDue] = [[], undefined];
    texts = textsIn(frames);
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
    isDue = isText ? 'later' : 'soon';
    options.schedule(flush, isText ? paceMs(texts) : 0);
  };
}

/** Of each text in progress. */
const PACE_MS = 15;
const SLOWEST_MS = 150;

/** One text is drawn word by word. The more are written at once, the rarer: nobody reads ten at a time, and everything else shall answer at once. */
const paceMs = (texts: number): number => (texts < 2 ? 0 : Math.min(SLOWEST_MS, texts * PACE_MS));

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
