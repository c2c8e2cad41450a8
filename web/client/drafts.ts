/** What was typed and not sent, a session at a time; survives a reload. */
export interface Drafts {
  get(sessionId: string): string;
  set(sessionId: string, text: string): void;
}

const keyOf = (sessionId: string): string => `signalbox:draft:${sessionId}`;

/** In a storage that may be forbidden or full: the page then keeps the draft by itself. */
export function storedDrafts(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Drafts {
  const kept = new Map<string, string>();
  return {
    get: (sessionId) => kept.get(sessionId) ?? attempt(() => storage.getItem(keyOf(sessionId))) ?? '',
    set: (sessionId, text) => {
      kept.set(sessionId, text);
      attempt(() => (text === '' ? storage.removeItem(keyOf(sessionId)) : storage.setItem(keyOf(sessionId), text)));
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
