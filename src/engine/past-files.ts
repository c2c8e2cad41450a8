import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { AgentPast } from '../agents/adapter.ts';

/** A record of a conversation as it lies on disk. */
export interface RecordFile {
  readonly agentSessionId: string;
  readonly path: string;
  readonly bytes: number;
  readonly at: Date;
}

type Env = Readonly<Record<string, string>>;

/** The records that can be gone on with in this folder, newest first. */
export const recordsFor = (past: AgentPast, where: { readonly cwd: string; readonly env: Env }): Promise<readonly RecordFile[]> =>
  recordsIn(past, past.root(where.env), past.folder(where));

/** All records of the agent, newest first. */
export async function allRecords(past: AgentPast, env: Env): Promise<readonly RecordFile[]> {
  const root = past.root(env);
  const found = await Promise.all((await foldersOf(root)).map((folder) => recordsIn(past, root, folder)));
  return found.flat().sort(newestFirst);
}

/** The record of one conversation, wherever it lies. The id is compared with names, never made part of a path. */
export async function findRecord(past: AgentPast, env: Env, agentSessionId: string): Promise<RecordFile | undefined> {
  return (await allRecords(past, env)).find((record) => record.agentSessionId === agentSessionId);
}

async function foldersOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  return [root, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name))];
}

/** Only plain files of folders that really lie below the root: a link that leads out of it is not followed. */
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

/** Enough for the first message and the last lines of nearly every record; a longer one tells a little less. */
const END_BYTES = 64 * 1024;

/** The beginning and the end of a file, without reading what lies between. */
export async function endsOf(path: string): Promise<{ readonly head: string; readonly tail: string }> {
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
