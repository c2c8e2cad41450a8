import { type ComponentType, lazy } from 'react';

/** How long to wait before a part is asked for again. */
const AGAIN_MS = 1000;

/** A part of the page that comes when it is needed. A server that is away just then must not break the page: it is asked until it answers. */
export const lazily = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) => lazy(() => insist(load));

/** A server that answers and still does not have the part is another one than the page came from: that is for the page to tell. */
const MOST_REFUSALS = 3;

export async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      const isRefused = await isThere();
      if (isRefused) refusals += 1;
      if (refusals === MOST_REFUSALS) throw error;
      // The first time at once: a connection was lost, and is there again.
      if (!isRefused || refusals > 1) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** A proxy that answers in place of a server that starts again says so with a status above 500. */
const isThere = (): Promise<boolean> =>
  fetch(document.baseURI, { method: 'HEAD' }).then(
    ({ status }) => status < 500,
    () => false,
  );
