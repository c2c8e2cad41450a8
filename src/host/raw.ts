import { createReadStream, existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { RawLine, RawPage, RawQuery, RawRun, RawSide } from '../protocol/api/raw.ts';
import type { RunId, SessionId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import { readRange } from './compress.ts';
import { type RunFiles, readIfExists, runFiles, runsIn, sessionFolder } from './files.ts';
import { readPids } from './state.ts';
import { readTail } from './tail.ts';

/** Lines of a run's files as they are, for people: nothing here interprets them. */
export function openRawFiles(dataDir: string) {
  const pathOf = (session: SessionId, run: RunId, side: RawSide): string => {
    const { input, output, errors } = runFiles(dataDir, { sessionId: session, run });
    return { in: input, out: output, err: errors }[side];
  };
  return {
    runs: async (session: SessionId): Promise<readonly RawRun[]> => {
      const runs = await Promise.all(runsIn(sessionFolder(dataDir, session)).map((run) => describe(dataDir, session, run, pathOf)));
      return runs.sort((a, b) => a.openedAt.localeCompare(b.openedAt));
    },
    lines: (session: SessionId, run: RunId, side: RawSide): AsyncIterable<{ readonly at: number; readonly text: string }> =>
      wholeLines(pathOf(session, run, side)),
    process: (session: SessionId, run: RunId): Promise<RunProcess> => processOf(runFiles(dataDir, { sessionId: session, run })),
    page: (session: SessionId, { run, bytes }: RawRun, { side = 'out', before, after }: Omit<RawQuery, 'run'>): Promise<Page> => {
      const file = { path: pathOf(session, run, side), size: bytes[side] };
      return after === undefined ? pageBefore(file, Math.min(before ?? file.size, file.size)) : pageAfter(file, after);
    },
  };
}

/** Every line in full. Bytes after the last newline are still being written. */
async function* wholeLines(path: string): AsyncGenerator<{ readonly at: number; readonly text: string }> {
  let rest: Buffer[] = [];
  let at = 0;
  for await (const chunk of bytesOf(path)) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const whole = Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      yield { at, text: whole.toString() };
      at += whole.byteLength + 1;
      from = end + 1;
    }
    if (from < chunk.byteLength) rest.push(chunk.subarray(from));
  }
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (existsSync(path)) yield* createReadStream(path);
  else if (existsSync(`${path}.gz`)) yield* createReadStream(`${path}.gz`).pipe(createGunzip());
}

/** How a run was started, and what its files say about its process. */
interface RunProcess {
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly pid?: number;
  readonly stderr?: string;
}

async function processOf(files: RunFiles): Promise<RunProcess> {
  const described = launchIn(readIfExists(files.host));
  const pid = readPids(files)?.agent.pid;
  const stderr = readTail(files.errors);
  return { ...described, ...(pid !== undefined && { pid }), ...(stderr !== '' && { stderr }) };
}

function launchIn(text: string | undefined): Pick<RunProcess, 'argv' | 'cwd'> {
  if (text === undefined) return {};
  const { command, args = [], cwd }: { command?: string; args?: readonly string[]; cwd?: string } = JSON.parse(text);
  return command === undefined ? {} : { argv: [command, ...args], ...(cwd !== undefined && { cwd }) };
}

type Page = Pick<RawPage, 'lines' | 'before' | 'after' | 'more'>;
type PathOf = (session: SessionId, run: RunId, side: RawSide) => string;

async function describe(dataDir: string, session: SessionId, run: RunId, pathOf: PathOf): Promise<RawRun> {
  const [host, out, input, err] = await Promise.all([
    stat(runFiles(dataDir, { sessionId: session, run }).host),
    sizeOf(pathOf(session, run, 'out')),
    sizeOf(pathOf(session, run, 'in')),
    sizeOf(pathOf(session, run, 'err')),
  ]);
  return { run, openedAt: host.mtime.toISOString(), bytes: { out, in: input, err } };
}

/** For a compressed file, the size in its trailer. */
async function sizeOf(path: string): Promise<number> {
  const plain = await stat(path).catch(() => undefined);
  if (plain !== undefined) return plain.size;
  const packed = await open(`${path}.gz`).catch(() => undefined);
  if (packed === undefined) return 0;
  try {
    const { size } = await packed.stat();
    const { buffer, bytesRead } = await packed.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return bytesRead === 4 ? buffer.readUInt32LE(0) : 0;
  } finally {
    await packed.close();
  }
}

interface RawFile {
  readonly path: string;
  readonly size: number;
}

const NEWLINE = 10;

/** Where a range of lines ends, and whether it ends with a newline. */
interface End {
  readonly at: number;
  readonly isWhole: boolean;
}

/** Whole lines that end at or before `end`, as many as fit; at least one. `end` is the start of a line, or the end of the file. */
async function pageBefore(file: RawFile, end: number): Promise<Page> {
  const start = Math.max(0, end - LIMITS.rawPageBytes);
  const bytes = Buffer.from(await readRange(file.path, start, end));
  const from = start === 0 ? 0 : await firstLineIn(file, bytes, start);
  const range = from >= start ? bytes.subarray(from - start) : Buffer.from(await readRange(file.path, from, from + LIMITS.rawLineBytes));
  return pageOf(file, range, from, { at: end, isWhole: bytes.at(-1) === NEWLINE });
}

/** Where the first line starts that starts within these bytes; a line longer than all of them starts before. */
async function firstLineIn(file: RawFile, bytes: Buffer, start: number): Promise<number> {
  const newline = bytes.subarray(0, -1).indexOf(NEWLINE);
  return newline >= 0 ? start + newline + 1 : lineStart(file, start);
}

/** Searches backward for the start of a very long line. */
async function lineStart(file: RawFile, from: number): Promise<number> {
  // Each read of a compressed file unpacks everything before it, so the steps grow.
  for (let [end, step] = [from, LIMITS.rawPageBytes as number]; end > 0; step *= 2) {
    const start = Math.max(0, end - step);
    const newline = Buffer.from(await readRange(file.path, start, end)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

/** Lines from `start`, which is the start of a line. */
async function pageAfter(file: RawFile, start: number): Promise<Page> {
  const from = Math.min(start, file.size);
  const bytes = Buffer.from(await readRange(file.path, from, Math.min(file.size, from + LIMITS.rawPageBytes)));
  const last = bytes.lastIndexOf(NEWLINE);
  if (from + bytes.length >= file.size) return pageOf(file, bytes, from, { at: file.size, isWhole: bytes.at(-1) === NEWLINE });
  if (last >= 0) return pageOf(file, bytes.subarray(0, last + 1), from, { at: from + last + 1, isWhole: true });
  return pageOf(file, bytes, from, await lineEnd(file, from + bytes.length));
}

/** Searches forward for the end of a very long line. */
async function lineEnd(file: RawFile, from: number): Promise<End> {
  for (let [start, step] = [from, LIMITS.rawPageBytes as number]; start < file.size; start += step, step *= 2) {
    const newline = Buffer.from(await readRange(file.path, start, Math.min(file.size, start + step))).indexOf(NEWLINE);
    if (newline >= 0) return { at: start + newline + 1, isWhole: true };
  }
  return { at: file.size, isWhole: false };
}

/** Reading on from an unfinished line returns it again, longer. */
function pageOf(file: RawFile, bytes: Buffer, from: number, end: End): Page {
  const lines = linesOf(bytes, from, end);
  const last = lines.at(-1);
  return { lines, ...(from > 0 && { before: from }), after: last?.open ? last.place : end.at, more: end.at < file.size };
}

/** The lines in these bytes, which start at `from`. Bytes after the last newline are the start of a line that runs to `end`. */
function linesOf(bytes: Buffer, from: number, end: End): RawLine[] {
  const lines: RawLine[] = [];
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    const until = newline >= 0 ? newline : end.at - from - (end.isWhole ? 1 : 0);
    const head = bytes.subarray(at, Math.min(until, at + LIMITS.rawLineBytes));
    const isOpen = newline < 0 && !end.isWhole;
    const line = { place: from + at, bytes: until - at, text: head.toString('utf8') };
    lines.push({ ...line, ...(head.length < until - at && { cut: true }), ...(isOpen && { open: true }) });
    at = newline >= 0 ? newline + 1 : bytes.length;
  }
  return lines;
}
