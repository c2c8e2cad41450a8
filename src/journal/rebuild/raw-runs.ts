import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { RunId, type SessionId } from '../../protocol/ids.ts';

/** One run of an agent, as its files describe it. */
export interface RawRun {
  readonly run: RunId;
  readonly session: SessionId;
  readonly folder: string;
  /** The content of host.json; undefined if it is missing or unreadable. */
  readonly host: unknown;
  /** Size of the agent's whole input. */
  readonly inByte: number;
  /** The exit status, if the process is gone and left one. Null if it is not a number. */
  readonly exit: { readonly code: number | null } | undefined;
  /** A host compresses the output of a run once its end is in the journal. */
  readonly isCompressed: boolean;
}

/** A whole line of out.ndjson, with the offset of its first byte. */
export interface RawLine {
  readonly line: string;
  readonly byte: number;
}

/** The runs of a session's folder, oldest first. */
export async function rawRuns(folder: string, session: SessionId): Promise<readonly RawRun[]> {
  const names = readdirSync(folder).filter((name) => RunId.safeParse(name).success && existsSync(join(folder, name, 'host.json')));
  const createdAt = (name: string) => statSync(join(folder, name, 'host.json')).mtimeMs;
  names.sort((a, b) => createdAt(a) - createdAt(b) || a.localeCompare(b));
  return Promise.all(names.map((name) => rawRun(join(folder, name), RunId.parse(name), session)));
}

async function rawRun(folder: string, run: RunId, session: SessionId): Promise<RawRun> {
  const inByte = await sizeOf(join(folder, 'in.ndjson'));
  const isCompressed = existsSync(join(folder, 'out.ndjson.gz'));
  return { run, session, folder, host: readHost(join(folder, 'host.json')), inByte, exit: readExit(join(folder, 'exit')), isCompressed };
}

function readExit(path: string): RawRun['exit'] {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8').trim();
  return { code: /^\d+$/.test(text) ? Number(text) : null };
}

/** For a broken compressed file, only what can be read counts: nothing is sent to an ended run. */
async function sizeOf(path: string): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of bytesOf(path)) size += chunk.byteLength;
  } catch {
    return size;
  }
  return size;
}

function readHost(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Whole lines only: bytes after the last newline are still being written, or never became a line. */
export async function* outputLines(run: RawRun): AsyncGenerator<RawLine> {
  let rest: Buffer[] = [];
  let byte = 0;
  for await (const chunk of bytesOf(join(run.folder, 'out.ndjson'))) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      const whole = Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      yield { line: whole.toString(), byte };
      byte += whole.byteLength + 1;
      from = at + 1;
    }
    if (from < chunk.byteLength) rest.push(chunk.subarray(from));
  }
}

/** The plain file, or its compressed form; nothing if neither exists. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  if (existsSync(path)) yield* createReadStream(path);
  else if (existsSync(`${path}.gz`)) yield* createReadStream(`${path}.gz`).pipe(createGunzip());
}
