import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { AuditEntry, type AuditLine } from '../protocol/api/audit.ts';
import { syncFolder } from './blobs.ts';

const Line = z.omit(AuditEntry, { id: true });

const fileIn = (dataDir: string): string => join(dataDir, 'audit-of-deleted.ndjson');

/** Appends and syncs the audit of a session that is about to be deleted, so that a rebuild still has it. Lines can repeat; readers take each once. */
export function keepAuditOfDeleted(dataDir: string, lines: readonly AuditLine[]): void {
  if (lines.length === 0) return;
  const path = fileIn(dataDir);
  const isNew = !existsSync(path);
  const fd = openSync(path, 'a', 0o600);
  try {
    // A kill in the middle of an earlier write may have left half a line; an empty line in between costs nothing.
    const bytes = Buffer.from(`\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (isNew) syncFolder(dataDir);
}

export function readAuditOfDeleted(dataDir: string): readonly AuditLine[] {
  if (!existsSync(fileIn(dataDir))) return [];
  const lines = readFileSync(fileIn(dataDir), 'utf8').split('\n');
  return lines.flatMap((text) => {
    const line = Line.safeParse(parsed(text));
    return line.success ? [line.data] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
