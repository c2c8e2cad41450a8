import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { AgentPast } from '../../agents/port/adapter.ts';

/** The record of a conversation on disk. */
export interface RecordFile {
  readonly agentSessionId: string;
  readonly path: string;
  readonly bytes: number;
  readonly at: Date;
}

type Env = Readonly<Record<string, string>>;

interface Where {
  readonly cwd: string;
  readonly env: Env;
}

/** The most records read to find those of one folder: enough for years of work. */
const READ_MAX = 1000;

/** The records that can be resumed in this folder, newest first. */
export async function recordsFor(past: AgentPast, where: Where): Promise<readonly RecordFile[]> {
  if (past.isByTime !== true) return recordsIn(past, past.root(where.env), past.folder(where));
  const found: RecordFile[] = [];
  for (const record of (await allRecords(past, where.env)).slice(0, READ_MAX)) if (await isOf(past, record, where.cwd)) found.push(record);
  return found;
}

/** The record of one conversation, and whether it can be resumed in this folder. */
export async function findRecordFor(past: AgentPast, where: Where, agentSessionId: string): Promise<{ file: RecordFile; isHere: boolean } | undefined> {
  const here = past.isByTime ? undefined : (await recordsFor(past, where)).find((record) => record.agentSessionId === agentSessionId);
  if (here !== undefined) return { file: here, isHere: true };
  const file = await findRecord(past, where.env, agentSessionId);
  return file && { file, isHere: past.isByTime === true && (await isOf(past, file, where.cwd)) };
}

async function isOf(past: AgentPast, { path }: RecordFile, cwd: string): Promise<boolean> {
  const { head } = await headAndTail(path);
  return past.readFacts(head, '').cwd === cwd;
}

/** All records of the agent, newest first. */
export async function allRecords(past: AgentPast, env: Env): Promise<readonly RecordFile[]> {
  const root = past.root(env);
  const found = await Promise.all((await foldersOf(root, past.isByTime ? DATED_DEPTH : 1)).map((folder) => recordsIn(past, root, folder)));
  return found.flat().sort(newestFirst);
}

/** The record of one conversation in any folder. The id is compared with names, never made part of a path. */
async function findRecord(past: AgentPast, env: Env, agentSessionId: string): Promise<RecordFile | undefined> {
  return (await allRecords(past, env)).find((record) => record.agentSessionId === agentSessionId);
}

/** Year, month and day. */
const DATED_DEPTH = 3;

async function foldersOf(root: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [root];
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(entries.filter((entry) => entry.isDirectory()).map((entry) => foldersOf(join(root, entry.name), depth - 1)));
  return [root, ...below.flat()];
}

/** Only plain files in folders that are really below the root: a link out of it is not followed. */
async function recordsIn(past: AgentPast, root: string, folder: string): Promise<readonly RecordFile[]> {
  const [realRoot, real] = await Promise.all([root, folder].map((path) => realpath(path).catch(() => undefined)));
  if (realRoot === undefined || real === undefined || (real !== realRoot && !real.startsWith(realRoot + sep))) return [];
  const names = await readdir(real).catch(() => []);
  const found = await Promise.all(names.map((name) => recordAt(past, real, name)));
  return found.filter((record) => record !== undefined).sort(newestFirst);
}

async function recordAt(past: AgentPast, folder: string, name: string): Promise<RecordFile | undefined> {
  const agentSessionId = past.idOf(name);
  if (agentSessionId === undefined) return undefined;
  const path = join(folder, name);
  const stat = await lstat(path).catch(() => undefined);
  return stat?.isFile() ? { agentSessionId, path, bytes: stat.size, at: stat.mtime } : undefined;
}

const newestFirst = (a: RecordFile, b: RecordFile): number => b.at.getTime() - a.at.getTime();

/** Enough for the first message and the last lines of nearly every record. */
const END_BYTES = 64 * 1024;

/** The start and the end of a file, without reading what is between. */
export async function headAndTail(path: string): Promise<{ readonly head: string; readonly tail: string }> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return { head: '', tail: '' };
  try {
    const { size } = await file.stat();
    const head = await pieceOf(file, 0, Math.min(size, END_BYTES));
    return { head, tail: size <= END_BYTES ? '' : await pieceOf(file, Math.max(END_BYTES, size - END_BYTES), END_BYTES) };
  } finally {
    await file.close();
  }
}

async function pieceOf(file: Awaited<ReturnType<typeof open>>, from: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, from);
  return buffer.toString('utf8', 0, bytesRead);
}
