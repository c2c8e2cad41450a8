import { type ComponentType, lazy } from 'react';

/** Delay before a part is requested again. */
const RETRY_MS = 1000;

/** A part of the page that loads on demand. An unreachable server must not break the page, so loading is retried until it answers. */
export const lazily = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) => lazy(() => loadWithRetry(load));

/** A server that answers but doesn't have the part was updated after the page was loaded: then the page must say so. */
const MAX_REFUSALS = 3;

export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      const isRefused = await isThere();
      if (isRefused) refusals += 1;
      if (refusals === MAX_REFUSALS) throw error;
      // The first retry is immediate: the connection was lost and is back.
      if (!isRefused || refusals > 1) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** A proxy in front of a restarting server answers with 5xx. */
const isThere = (): Promise<boolean> =>
  fetch(document.baseURI, { method: 'HEAD' }).then(
    ({ status }) => status < 500,
    () => false,
  );
