import type { RunId, SessionId } from '../protocol/ids.ts';
import type { ListeningPort } from './listening-ports.ts';

/** Runs agents' processes on the two-file bus. It carries bytes and never interprets them. */
export interface Host {
  /** Writes host.json and spawns the launcher, detached. Resolves when the launcher runs; rejects with `LaunchFailed`. */
  start(run: RunRef, launch: RunLaunch): Promise<void>;
  /** What the files and the process table currently say about a run. */
  inspect(run: RunRef): Promise<RunState>;
  /** Makes sure a run without `pids` can never start, or waits until it has started (at most 5 s). For recovery. */
  claim(run: RunRef): Promise<RunState>;
  /**
   * Appends `bytes` so that in.ndjson holds them at `offset` exactly once, rings, syncs. The caller stores them durably until this resolves.
   * Safe to repeat after a crash: only the missing rest is appended. Rejects with `InputTorn` if the file has other bytes there, with
   * `InputClosed` if the run was already asked to end, and with `DiskFull`, also while the reserve is in use, unless it is urgent (an interrupt
   * or an answer).
   */
  send(run: RunRef, offset: number, bytes: Uint8Array, options?: { readonly urgent?: boolean }): Promise<void>;
  /** Current size of in.ndjson. */
  inputSize(run: RunRef): Promise<number>;
  /** Current size of out.ndjson. */
  outputSize(run: RunRef): Promise<number>;
  /** Wakes the feeder; harmless at any time. */
  ring(run: RunRef): void;
  /** Follows out.ndjson from a byte offset until the run has ended and everything was read, or until `close()`. */
  follow(run: RunRef, fromByte: number, sink: RunSink): Follower;
  /** Ends a run in the steps that `how` names, then sweeps its children. Resolves when nothing of it is left. */
  end(run: RunRef, how: Ending): Promise<void>;
  /** Processes that carry the run's marker or descend from it, except the agent itself. */
  children(run: RunRef): Promise<readonly number[]>;
  /** Resident memory of each live run: its agent and everything that agent started. Runs that are gone are left out. */
  memory(runs: readonly RunRef[]): Promise<ReadonlyMap<RunId, number>>;
  /** TCP ports that the processes of each run listen on; runs without any are left out. */
  ports(runs: readonly RunRef[]): Promise<ReadonlyMap<RunId, readonly ListeningPort[]>>;
  /** Gzips the raw files of an ended run. */
  compress(run: RunRef): Promise<void>;
  /** Reads bytes of out.ndjson (also of a compressed run). */
  readOutput(run: RunRef, fromByte: number, toByte: number): Promise<Uint8Array>;
  /** The last bytes of err.log, for people; empty if there are none. */
  stderrTail(run: RunRef): Promise<string>;
  /** Ends every run of a session and removes its folder. */
  forget(session: SessionId): Promise<void>;
  /** Resolves when nothing is being read, sent or ended. */
  drain(): Promise<void>;
  /** Stops following and leaves every agent running. Can be called twice. */
  close(): Promise<void>;
  /** For doctor and the metrics. */
  stats(): HostStats;
}

export interface RunRef {
  readonly sessionId: SessionId;
  readonly run: RunId;
}

export interface RunLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type RunState =
  /** No files, or a launcher that can no longer start. */
  | { readonly phase: 'absent' }
  /** The launcher was spawned; the agent has not written its pids yet. */
  | { readonly phase: 'starting' }
  | { readonly phase: 'live'; readonly pid: number }
  /** The file `exit` exists. */
  | { readonly phase: 'ended'; readonly code: number }
  /** Gone without an exit status. */
  | { readonly phase: 'died' };

/** Calls are synchronous: when one returns, the host reads on. That is all the back-pressure there is. */
export interface RunSink {
  /** Whole lines, in order, without newlines. `batch.endByte` is the offset after the last one. */
  lines(batch: LineBatch): void;
  /** Bytes that can never become a line: over the limit, or cut by a full disk. */
  lost(fromByte: number, toByte: number, reason: string): void;
  /** The process is gone and every byte it printed has been delivered. Called once. */
  ended(end: RunEnd): void;
}

export interface LineBatch {
  readonly lines: readonly string[];
  /** Offset of the first byte of each line. */
  readonly startBytes: readonly number[];
  readonly endByte: number;
}

export interface RunEnd {
  /** Absent if it died without writing its status. */
  readonly code?: number;
  readonly signal?: string;
  /** The last bytes of err.log, for people. */
  readonly stderrTail: string;
}

export interface Follower {
  readonly atByte: number;
  close(): void;
}

export type Ending =
  /** Nothing is running: give end of input. */
  | { readonly how: 'idle' }
  /** In mid-turn: these bytes (the agent's interrupt line) and end of input, then INT, TERM, KILL. `offset` as in `send`. */
  | { readonly how: 'interrupt'; readonly offset: number; readonly bytes: Uint8Array }
  /** No way to ask: INT, TERM, KILL. */
  | { readonly how: 'signal' };

export interface HostStats {
  readonly following: number;
  readonly watchMode: 'watch' | 'poll';
  readonly freeBytes: number;
  readonly reserveHeld: boolean;
  /** Less than the reserve is free: inputs are refused until there is space again. */
  readonly diskLow: boolean;
}

export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
  constructor(
    readonly run: RunId,
    readonly command: string,
    options?: ErrorOptions,
  ) {
    super(`The command ${command} could not be started`, options);
  }
}

export class InputTorn extends Error {
  override readonly name = 'InputTorn';
  constructor(
    readonly run: RunId,
    readonly offset: number,
  ) {
    super(`The input file of run ${run} holds other bytes at ${offset} than were journaled`);
  }
}

export class InputClosed extends Error {
  override readonly name = 'InputClosed';
  constructor(readonly run: RunId) {
    super(`Run ${run} is shutting down and no longer reads input`);
  }
}

export class DiskFull extends Error {
  override readonly name = 'DiskFull';
  constructor(
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(`The disk is full: ${path} could not be written`, options);
  }
}
