import type { Engine } from '../../engine/engine.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** Requests that wait for something to happen in a session. */
export interface Waits {
  /** What `look` finds, now or after the next events of the session; undefined when the time is up, nobody waits anymore, or the server stops. */
  until<T>(session: SessionId, look: () => T | undefined, how: { readonly timeoutMs: number; readonly gone: AbortSignal }): Promise<T | undefined>;
  readonly isClosed: boolean;
  /** Ends every wait, so that the server can stop. */
  close(): void;
}

export function openWaits(engine: Pick<Engine, 'watch'>): Waits {
  const ends = new Set<() => void>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    until: (session, look, { timeoutMs, gone }) =>
      new Promise((resolve) => {
        const found = look();
        if (found !== undefined || timeoutMs === 0 || gone.aborted || isClosed) return resolve(found);
        const end = (result = look()): void => {
          ends.delete(give);
          clearTimeout(timer);
          unwatch();
          gone.removeEventListener('abort', give);
          resolve(result);
        };
        const give = (): void => end();
        const timer = setTimeout(give, timeoutMs);
        const unwatch = engine.watch(session, (news) => {
          const now = news.kind === 'events' ? look() : undefined;
          if (now !== undefined) end(now);
        });
        gone.addEventListener('abort', give);
        ends.add(give);
      }),
    close: () => {
      isClosed = true;
      for (const end of [...ends]) end();
    },
  };
}
