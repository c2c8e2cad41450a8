import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Problems } from '../problems/problems.ts';
import { appendAt, isAppended } from './append.ts';
import { compressRun, readRange } from './compress.ts';
import { openDisk } from './disk.ts';
import { closeInput, endRun } from './end-run.ts';
import { makeDataFolder, type RunFiles, runFiles, runsIn, sessionFolder, writeLauncher } from './files.ts';
import { createFollowers } from './followers.ts';
import { DiskFull, type Host, InputClosed, type RunRef, type RunState } from './host.ts';
import { HOST_LIMITS, type HostLimits } from './limits.ts';
import { lockDataFolder } from './lock.ts';
import { memoryOf, portsOfRuns } from './process-memory.ts';
import { createProcessScan, type Process, rememberMarkers } from './processes.ts';
import { type Bells, createBells } from './ring-feeders.ts';
import { startRun } from './start.ts';
import { claimBell, inspectRun, isLauncherOf, readPids, readRunState } from './state.ts';
import { type Family, membersOf, sweepRun } from './sweep.ts';
import { readTail } from './tail.ts';
import { createKeyedTasks } from './tasks/keyed-tasks.ts';
import { until } from './tasks/until.ts';
import { type Watch, watchFolder } from './watch.ts';

export interface HostOptions {
  readonly dataDir: string;
  readonly limits?: Partial<HostLimits>;
  readonly watch?: Watch;
  /** The disk became low: interrupt the agents and say so. Or it has recovered. */
  readonly onDisk?: (isLow: boolean) => void;
  /** Gets the failures of timers and watchers, all of which retry. */
  readonly problems: Problems;
}

// A flood of 100 MB/s fills the reserve in less than a second, so the sweep alone would check too rarely.
const CHECK_DISK_EVERY_BYTES = 8 * 1024 * 1024;

/** Locks the data folder for this process (throws `DataFolderInUse`) and prepares it. */
export function openHost({ onDisk = () => {}, watch = watchFolder, problems, ...options }: HostOptions): Host {
  const dataDir = resolve(options.dataDir);
  const limits = { ...HOST_LIMITS, ...options.limits };
  makeDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  writeLauncher(dataDir);
  const disk = openDisk({ dataDir, reserveBytes: limits.reserveBytes, checkMs: limits.sweepMs, onDisk, problems });
  const bells = createBells(limits, dataDir, problems);
  const scan = createProcessScan();
  const cheapScan = createProcessScan(rememberMarkers());
  const tasks = createKeyedTasks();
  const claim = (files: RunFiles): Promise<RunState> => claimRun(files, limits, bells, scan);
  let uncheckedBytes = 0;
  const followers = createFollowers({
    limits,
    bells,
    watch,
    claim,
    problems,
    onSweep: disk.check,
    onBytes: (count) => {
      uncheckedBytes += count;
      if (uncheckedBytes < CHECK_DISK_EVERY_BYTES) return;
      uncheckedBytes = 0;
      disk.checkSoon();
    },
  });
  const filesOf = (ref: RunRef): RunFiles => runFiles(dataDir, ref);
  const append = (ref: RunRef, offset: number, bytes: Uint8Array, onWritten?: () => void): Promise<void> =>
    tasks.inOrder(`send ${ref.run}`, () => appendAt(filesOf(ref).input, ref.run, offset, bytes, onWritten));
  disk.check();

  const host: Host = {
    start: (ref, launch) => startRun(dataDir, filesOf(ref), ref, launch),
    inspect: (ref) => inspectRun(filesOf(ref), limits),
    claim: (ref) => claim(filesOf(ref)),
    send: async (ref, offset, bytes, how) => {
      const files = filesOf(ref);
      disk.check();
      const isClosed = existsSync(files.closing);
      const isRefused = isClosed || (disk.isLow && !how?.urgent);
      if (isRefused && !isAppended(files.input, offset, bytes)) throw isClosed ? new InputClosed(ref.run) : new DiskFull(files.input);
      const ring = (): void => {
        bells.ring(files.bell);
        followers.expect(files);
      };
      // The agent reads while the disk writes: the sender stores the same bytes durably, and nothing looks in this file to see what an agent has read.
      if (isClosed) ring();
      else await append(ref, offset, bytes, ring);
    },
    inputSize: async (ref) => statSync(filesOf(ref).input, { throwIfNoEntry: false })?.size ?? 0,
    outputSize: async (ref) => statSync(filesOf(ref).output, { throwIfNoEntry: false })?.size ?? 0,
    ring: (ref) => bells.ring(filesOf(ref).bell),
    follow: (ref, fromByte, sink) => followers.follow(filesOf(ref), fromByte, sink),
    end: (ref, how) =>
      tasks.inOrder(`end ${ref.run}`, async () => {
        const files = filesOf(ref);
        await claim(files);
        await endRun(files, how, { limits, bells, scan, append: (offset, bytes) => append(ref, offset, bytes) });
      }),
    children: async (ref) => childrenOf(filesOf(ref), await scan()),
    memory: async (refs) => (refs.length === 0 ? new Map() : memoryOf(refs.map(filesOf), await cheapScan())),
    ports: async (refs) => (refs.length === 0 ? new Map() : portsOfRuns(refs.map(filesOf), await cheapScan())),
    compress: (ref) => tasks.inOrder(`compress ${ref.run}`, () => compressRun(filesOf(ref))),
    readOutput: (ref, fromByte, toByte) => readRange(filesOf(ref).output, fromByte, toByte),
    stderrTail: async (ref) => readTail(filesOf(ref).errors),
    forget: async (sessionId) => {
      const folder = sessionFolder(dataDir, sessionId);
      for (const run of runsIn(folder)) await host.end({ sessionId, run }, { how: 'signal' });
      rmSync(folder, { recursive: true, force: true });
    },
    drain: async () => {
      await tasks.settled();
      followers.catchUp();
      await until(() => !followers.isBusy && tasks.size === 0, DRAIN_MS);
      await disk.idle();
    },
    close: async () => {
      followers.close();
      bells.close();
      disk.close();
      await tasks.settled();
      await disk.idle();
      lock.release();
    },
    stats: () => ({
      following: followers.size,
      watchMode: followers.isPolling ? 'poll' : 'watch',
      freeBytes: disk.freeBytes,
      reserveHeld: disk.isReserveHeld,
      diskLow: disk.isLow,
    }),
  };
  return host;
}

// An agent that never stops printing never becomes idle.
const DRAIN_MS = 10_000;

async function claimRun(files: RunFiles, limits: HostLimits, bells: Bells, scan: () => Promise<readonly Process[]>): Promise<RunState> {
  if (readRunState(files).phase !== 'starting') return inspectRun(files, limits);
  if (claimBell(files)) return { phase: 'absent' };
  if (await until(() => readRunState(files).phase !== 'starting', limits.startMs)) return inspectRun(files, limits);
  closeInput(files);
  bells.end(files.bell);
  await sweepRun(basename(files.folder), new Map(), scan, limits);
  return readRunState(files);
}

/** Leaves out the agent itself and our own processes: the shell, the feeder and its cat. */
function childrenOf(files: RunFiles, processes: readonly Process[]): readonly number[] {
  const run = basename(files.folder);
  const agent = readPids(files)?.agent;
  const family: Family = new Map(agent ? [[agent.pid, agent.start]] : []);
  const members = membersOf(run, family, processes).filter((one) => one.pid !== agent?.pid);
  const shell = readPids(files)?.shell;
  const isOurs = (one: Process): boolean => one.pid === shell || one.ppid === shell || isLauncherOf(one.pid, run);
  const ours = new Set(members.filter(isOurs).map((one) => one.pid));
  return members.filter((one) => !ours.has(one.pid) && !ours.has(one.ppid)).map((one) => one.pid);
}
