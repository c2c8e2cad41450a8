import { LIMITS } from '../protocol/limits.ts';

/** All timeouts and limits of the host. Tests shorten the timeouts; other callers change only the reserve. */
export interface HostLimits {
  /** A longer line from an agent is skipped and reported as lost. */
  readonly lineBytes: number;
  /** Size of one read; other runs get their turn between two reads. Its text and what is made of it should fit V8's 1 MB nursery. */
  readonly readBytes: number;
  /** What arrives within this time after a read is read together: one journal transaction per read. */
  readonly batchMs: number;
  /** How often the sizes of all followed files are compared: an inotify queue that overflowed has lost wake-ups. */
  readonly sweepMs: number;
  readonly identityMs: number;
  /** How often unwatched files are read, and how often watching them is tried again. */
  readonly pollMs: number;
  readonly rewatchMs: number;
  /** A ring costs one fork of cat. */
  readonly ringMs: number;
  readonly ringAgainMs: number;
  /** How long a launcher may take to become the agent. */
  readonly startMs: number;
  /** The steps of ending a run: asked, INT, TERM, then KILL. */
  readonly askedMs: number;
  readonly intMs: number;
  readonly termMs: number;
  /** How long the shell may take to write `exit` after its agent is gone. */
  readonly exitMs: number;
  /** Between TERM and KILL, for processes that the agent's tools left behind. */
  readonly sweepTermMs: number;
  /** After KILL; a process that still exists then is stuck in the kernel. */
  readonly sweepKillMs: number;
  /** Size of a file that is deleted when no more than this is left free, so that agents can finish writing. 0: no file. */
  readonly reserveBytes: number;
}

export const HOST_LIMITS: HostLimits = {
  lineBytes: LIMITS.agentLineBytes,
  readBytes: 64 * 1024,
  batchMs: 8,
  sweepMs: 1000,
  identityMs: 5000,
  pollMs: 50,
  rewatchMs: 10_000,
  ringMs: 20,
  ringAgainMs: 1000,
  startMs: 5000,
  askedMs: 3000,
  intMs: 2000,
  termMs: 2000,
  exitMs: 1000,
  sweepTermMs: 1000,
  sweepKillMs: 5000,
  reserveBytes: 64 * 1024 * 1024,
};
