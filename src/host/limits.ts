import { LIMITS } from '../protocol/limits.ts';

/** Every number the host waits for or stops at. Tests shorten the waits; nobody else changes more than the reserve. */
export interface HostLimits {
  /** A longer line of an agent is passed over and reported as lost. */
  readonly lineBytes: number;
  /** One read; between two reads other runs get their turn. Its text and what is made of it should fit V8's nursery of 1 MB. */
  readonly readBytes: number;
  /** Within this time after a read, what arrives is read together: one journal transaction a read. */
  readonly batchMs: number;
  /** Sizes of all followed files are compared this often: an inotify queue that overflowed has lost wake-ups. */
  readonly sweepMs: number;
  readonly identityMs: number;
  /** How often files are read that could not be watched, and how often the watch is tried again. */
  readonly pollMs: number;
  readonly rewatchMs: number;
  /** A ring costs a fork of cat. */
  readonly ringMs: number;
  readonly ringAgainMs: number;
  /** How long a launcher may take to become the agent. */
  readonly startMs: number;
  /** The ladder: asked, INT, TERM, then KILL. */
  readonly askedMs: number;
  readonly intMs: number;
  readonly termMs: number;
  /** How long the shell may take to write `exit` after its agent is gone. */
  readonly exitMs: number;
  /** Between TERM and KILL for what the agent's tools left. */
  readonly sweepTermMs: number;
  /** After KILL; a process that is still there then waits in the kernel. */
  readonly sweepKillMs: number;
  /** Kept in a file, released when as little is left free, so that agents can finish writing. 0: none. */
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
