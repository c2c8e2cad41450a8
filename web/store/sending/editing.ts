import type { Desk } from '../cockpit.ts';
import { setDraft, storedDraft } from './draft.ts';

/** New words for a waiting message that are not kept yet. */
export interface Unkept {
  readonly commandId: string;
  readonly text: string;
}

export interface Editing {
  /** What was being typed for a waiting message when the page was left. */
  unkeptOf(sessionId: string): Unkept | undefined;
  setUnkept(sessionId: string, unkept: Unkept | undefined): void;
  /** Words that were typed for a message which waits no more go to the composer. */
  rescue(sessionId: string, text: string): void;
  /** The same for words from before a reload. */
  rescueUnkept(sessionId: string, waiting: readonly string[]): void;
}

export function editing(desk: Desk): Editing {
  return {
    unkeptOf: (sessionId) => unkeptIn(desk, sessionId),
    setUnkept: (sessionId, unkept) => setDraft(desk, placeOf(sessionId), unkept === undefined ? '' : `${unkept.commandId}\n${unkept.text}`),
    rescue: (sessionId, text) => rescue(desk, sessionId, text),
    rescueUnkept: (sessionId, waiting) => {
      const unkept = unkeptIn(desk, sessionId);
      if (unkept === undefined || waiting.includes(unkept.commandId)) return;
      setDraft(desk, placeOf(sessionId), '');
      rescue(desk, sessionId, unkept.text);
    },
  };
}

/** Beside the session's own draft; no session id has a colon in it. */
const placeOf = (sessionId: string): string => `${sessionId}:editing`;

function unkeptIn(desk: Desk, sessionId: string): Unkept | undefined {
  const kept = storedDraft(desk, placeOf(sessionId));
  const end = kept.indexOf('\n');
  return end < 0 ? undefined : { commandId: kept.slice(0, end), text: kept.slice(end + 1) };
}

export function rescue(desk: Desk, sessionId: string, text: string): void {
  if (text.trim() === '') return;
  const typed = desk.store.getState().drafts.get(sessionId) ?? '';
  setDraft(desk, sessionId, typed === '' ? text : `${typed}\n\n${text}`);
}
