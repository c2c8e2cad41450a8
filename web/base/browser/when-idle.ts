/** Long enough for the picture that is being drawn, and soon enough for everybody. */
const LATEST_MS = 400;

/** Runs something that nobody waits for as soon as the page has nothing better to do; answers how to call it off. */
export function whenCalm(run: () => void): () => void {
  // Safari has no such call.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
