import { createApi } from '../client/http/api.ts';
import { keyNow, whenKeyIsForgotten } from '../client/http/key.ts';
import { newId } from '../client/new-id.ts';
import { memoryAttachments } from '../client/storage/attachments.ts';
import { storedDrafts } from '../client/storage/drafts.ts';
import { storedFolds } from '../client/storage/folds.ts';
import { indexedAttachments } from '../client/storage/indexed-attachments.ts';
import { indexedOutbox } from '../client/storage/indexed-outbox.ts';
import { noOutbox } from '../client/storage/outbox.ts';
import { storedPresence } from '../client/storage/presence.ts';
import { type Cockpit, openCockpit } from '../store/cockpit.ts';

/** Wires the store to the browser: the only place where it touches window and document. */
export async function startCockpit(base: string): Promise<Cockpit> {
  const socketUrl = new URL('ws', base);
  socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  const cockpit = await openCockpit({
    socketUrl: socketUrl.href,
    key: () => keyNow(base),
    api: createApi(base),
    outbox: await indexedOutbox().catch(() => noOutbox()),
    drafts: storedDrafts(localStorage),
    folds: storedFolds(sessionStorage, 'signalbox:folds'),
    foldedProjects: storedFolds(sessionStorage, 'signalbox:folded-projects'),
    attachments: await indexedAttachments().catch(() => memoryAttachments()),
    presence: storedPresence(localStorage, Date.now, () => document.visibilityState === 'visible'),
    schedule: drawSoon,
    typingMs: watchTyping(),
    newId,
    now: Date.now,
  });
  whenKeyIsForgotten(base, () => cockpit.signedOut());
  window.addEventListener('online', () => cockpit.nudge());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') return cockpit.notePresence();
    cockpit.nudge();
    void cockpit.arrived();
  });
  setInterval(() => {
    cockpit.tick();
    if (document.visibilityState === 'visible') cockpit.notePresence();
  }, 1000);
  return cockpit;
}

/** Hidden tabs get no frames, but their title still counts pending requests. */
const HIDDEN_MS = 250;

function drawSoon(draw: () => void, afterMs: number): void {
  if (afterMs > 0) return void setTimeout(() => drawSoon(draw, 0), afterMs);
  const once = () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    draw();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  const frame = requestAnimationFrame(once);
}

/** A typed letter is on screen within this time, if nothing else is drawn. */
const LETTER_MS = 32;

function watchTyping(): () => number {
  let typedAt = Number.NEGATIVE_INFINITY;
  window.addEventListener('keydown', () => (typedAt = performance.now()), { capture: true, passive: true });
  return () => Math.max(0, typedAt + LETTER_MS - performance.now());
}
