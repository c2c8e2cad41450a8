/**
 * How long a test waits for something that must happen. With a load of eight on two processors, what takes two seconds on an idle machine takes over thirty.
 * A long limit costs nothing while tests pass.
 */
export const WAIT_LIMIT_MS = 60_000;
