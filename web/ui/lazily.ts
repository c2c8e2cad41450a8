import { type ComponentType, lazy } from 'react';

/** How long to wait before a part is asked for again. */
const AGAIN_MS = 1000;

/** A part of the page that comes when it is needed. A server that is away just then must not break the page: it is asked until it answers. */
export const lazily = <P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>) => lazy(() => insist(load));

async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    const loaded = await load().catch(() => undefined);
    if (loaded !== undefined) return loaded;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
