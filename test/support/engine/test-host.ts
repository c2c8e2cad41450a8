import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Host, LineBatch, RunEnd, RunRef, RunSink } from '../../../src/host/host.ts';
import { readStat } from '../../../src/host/identity.ts';
import { type HostOptions, openHost } from '../../../src/host/open-host.ts';
import type { RunId, SessionId } from '../../../src/protocol/ids.ts';
import { standIn } from '../agents/stand-in-program.ts';
import { problemsToConsole } from '../problems.ts';
import { waitFor } from '../wait-for.ts';

/** Short waits and no disk reserve, for tests that are about neither. */
export const QUICK = { askedMs: 300, intMs: 200, termMs: 200, exitMs: 500, sweepTermMs: 200, startMs: 1000, sweepMs: 100, identityMs: 100, reserveBytes: 0 };

/** Hosts, runs and folders of one test; everything is ended and removed afterwards. */
export interface HostSetup {
  readonly dataDir: string;
  open(options?: Partial<HostOptions>): Host;
  run(name?: string): RunRef;
  /** Starts the stand-in, or another command. */
  start(host: Host, ref: RunRef, command?: string, args?: readonly string[], env?: Record<string, string>): Promise<void>;
}

export function createHostSetup(parent = tmpdir()): HostSetup {
  const dataDir = mkdtempSync(join(parent, 'signalbox-host-'));
  const refs: RunRef[] = [];
  let count = 0;
  let host: Host | undefined;
  onTestFinished(async () => {
    await host?.close();
    const last = openHost({ dataDir, limits: QUICK, problems: problemsToConsole() });
    await Promise.all(refs.map((ref) => last.end(ref, { how: 'signal' })));
    await last.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    open: (options = {}) => {
      host = openHost({ dataDir, problems: problemsToConsole(), ...options, limits: { ...QUICK, ...options.limits } });
      return host;
    },
    run: (name = `r${++count}`) => {
      const ref = { sessionId: 's1' as SessionId, run: `${name}-${Math.random().toString(36).slice(2, 10)}` as RunId };
      refs.push(ref);
      return ref;
    },
    start: (on, ref, command = standIn().command, args = standIn().args, env = {}) =>
      on.start(ref, { command, args, cwd: dataDir, env: { PATH: process.env.PATH ?? '', ...env } }),
  };
}

export interface Collected extends RunSink {
  readonly texts: string[];
  readonly starts: number[];
  readonly losses: { from: number; to: number; reason: string }[];
  readonly ends: RunEnd[];
  atByte: number;
  /** Resolves with the first line that contains this text. */
  line(part: string): Promise<string>;
  end(): Promise<RunEnd>;
}

/** A sink that records everything. */
export function collect(): Collected {
  const collected: Collected = {
    texts: [],
    starts: [],
    losses: [],
    ends: [],
    atByte: 0,
    lines: (batch: LineBatch) => {
      for (const text of batch.lines) collected.texts.push(text);
      for (const start of batch.startBytes) collected.starts.push(start);
      collected.atByte = batch.endByte;
    },
    lost: (from, to, reason) => {
      collected.losses.push({ from, to, reason });
      collected.atByte = to;
    },
    ended: (end) => void collected.ends.push(end),
    line: (part) => waitFor(`a line with ${part}`, () => collected.texts.find((text) => text.includes(part))),
    end: () => waitFor('the end of the run', () => collected.ends[0]),
  };
  return collected;
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);

export function pidsIn(hosting: HostSetup, ref: RunRef): { agent: number; shell: number } {
  const text = readFileSync(join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'pids'), 'utf8');
  return { agent: Number(/^agent (\d+)/m.exec(text)?.[1]), shell: Number(/^sh (\d+)/m.exec(text)?.[1]) };
}

/** The feeder is the shell's other child. */
export function feederOf(shell: number, agent: number): number {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const feeder = pids.find((pid) => pid !== agent && readStat(pid)?.ppid === shell);
  if (feeder === undefined) throw new Error(`The shell ${shell} has no feeder`);
  return feeder;
}
