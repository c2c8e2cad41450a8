import { ApiError } from '../../../client/http/api.ts';

/** Asks one question at a time; whoever asks meanwhile is answered by the next. */
export function latest(ask: () => Promise<void>): () => Promise<void> {
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

/** What a person is told when something could not be had. */
export const problemOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'The server answered something that this page does not understand. Reload the page.';
