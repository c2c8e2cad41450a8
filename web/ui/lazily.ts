import { type ComponentType, lazy } from 'react';

/** How long to wait before a part is asked for again. */
const AGAIN_MS = 1000;

/** A part of the page that comes when it is needed. A server that is away just then must not break the page: it is asked until it answers. */
export const lazily = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) => lazy(() => insist(load));

/** A server that answers and does not have the part is another one than the page came from: that is for the page to tell. */
export async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await isThere()) return load().catch(() => Promise.reject(error));
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const isThere = (): Promise<boolean> =>
  fetch(document.baseURI, { method: 'HEAD' }).then(
    () => true,
    () => false,
  );
