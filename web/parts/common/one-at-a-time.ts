import { ApiError } from '../../client/http/api.ts';

/** Runs one request at a time. Calls made meanwhile share the next run. */
export function oneAtATime(ask: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = ask().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
}

/** The message for a failed request. */
export const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : 'The server sent an unexpected answer. Reload the page.');
