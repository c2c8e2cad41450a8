/**
 * How long a test waits for what must come. A machine with a load of eight on two processors needs over thirty seconds for what takes two when it is idle, and
 * a long limit costs nothing while tests pass.
 */
export const PATIENCE_MS = 60_000;
