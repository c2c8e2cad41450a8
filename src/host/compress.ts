import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { errorCode, type RunFiles } from './files.ts';
import { readRunState } from './state.ts';

const packed = (path: string): string => `${path}.gz`;

export class RunNotEnded extends Error {
  override readonly name = 'RunNotEnded';
  constructor(readonly run: string) {
    super(`Run ${run} has not ended; its files are still being written`);
  }
}

/** At every moment each file exists in full under one name or the other. Safe to repeat after a crash. */
export async function compressRun(files: RunFiles): Promise<void> {
  const { phase } = readRunState(files);
  if (phase === 'live' || phase === 'starting') throw new RunNotEnded(basename(files.folder));
  for (const path of [files.input, files.output, files.errors]) if (existsSync(path)) await pack(path);
}

async function pack(path: string): Promise<void> {
  const part = `${packed(path)}.new`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(part, { mode: 0o600 }));
  const file = await open(part, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, packed(path));
  rmSync(path);
}

/** Bytes [from, to) of a file that may have been compressed in the meantime; fewer if the file is shorter. */
export async function readRange(path: string, fromByte: number, toByte: number): Promise<Uint8Array> {
  if (toByte <= fromByte) return new Uint8Array();
  try {
    return await readPlain(path, fromByte, toByte);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return readPacked(packed(path), fromByte, toByte); // the packed file exists before the plain one is removed
  }
}

async function readPlain(path: string, fromByte: number, toByte: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { start: fromByte, end: toByte - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readPacked(path: string, fromByte: number, toByte: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let at = 0;
  const source = createReadStream(path);
  const unpacked = source.pipe(createGunzip());
  source.once('error', (error) => unpacked.destroy(error));
  for await (const chunk of unpacked) {
    const [from, to] = [Math.max(0, fromByte - at), Math.min(chunk.length, toByte - at)];
    if (from < to) chunks.push(chunk.subarray(from, to));
    at += chunk.length;
    if (at >= toByte) break;
  }
  source.destroy();
  return Buffer.concat(chunks);
}
