/** Unsent text by user and session; survives a reload. */
export interface Drafts {
  get(who: string, sessionId: string): string;
  set(who: string, sessionId: string, text: string): void;
}

const keyOf = (who: string, sessionId: string): string => `signalbox:draft-of:${encodeURIComponent(who)}:${sessionId}`;
/** Drafts of an earlier release have no author: the first person who opens the session gets them. */
const unownedKey = (sessionId: string): string => `signalbox:draft:${sessionId}`;

/** Storage may be blocked or full: then only the page keeps the draft. */
export function storedDrafts(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Drafts {
  const inPage = new Map<string, string>();
  const stored = (key: string) => attempt(() => storage.getItem(key)) ?? undefined;
  return {
    get: (who, sessionId) => inPage.get(keyOf(who, sessionId)) ?? stored(keyOf(who, sessionId)) ?? stored(unownedKey(sessionId)) ?? '',
    set: (who, sessionId, text) => {
      const key = keyOf(who, sessionId);
      inPage.set(key, text);
      attempt(() => {
        if (text === '') storage.removeItem(key);
        else storage.setItem(key, text);
        storage.removeItem(unownedKey(sessionId));
      });
    },
  };
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
