import { archivedIdOf } from '../agents/port/archived-id.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { PastSession } from './archive.ts';
import type { ArchiveQueries } from './queries.ts';
import { nodeIdentity } from './records/identity.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import { isoOf, isoTime } from './records/times.ts';
import type { FileRow, SessionRow } from './rows.ts';

/** Builds a past session from archive.db. */
export function pastSession(queries: ArchiveQueries, row: SessionRow, copies?: KeptCopies): PastSession {
  const { id, agent, agentSessionId, facts } = row;
  const files = queries.files(row.key);
  const living = files.filter((file) => !file.isGone);
  const base = queries.base(agent, agentSessionId);
  const isRead = living.every((file) => file.isWhole) || (base !== undefined && row.lastSeq >= base);
  const lastSeq = Math.min(row.lastSeq, base ?? row.lastSeq);
  const times = timesOf(row, files);
  const parent = parentOf(queries, row);
  return {
    id,
    agent,
    agentSessionId,
    title: facts.named ?? (isRead ? (facts.prompt ?? facts.glanced) : (facts.glanced ?? facts.prompt)) ?? agentSessionId.slice(0, LIMITS.titleChars),
    ...(facts.cwd !== undefined && { cwd: facts.cwd }),
    ...(facts.model !== undefined && { model: facts.model }),
    ...times,
    lastSeq,
    ...(facts.lastLine !== undefined && { lastLine: facts.lastLine }),
    ...(parent !== undefined && { parent }),
    past: {
      lastSeq,
      bytes: (living.length > 0 ? living : files).reduce((sum, file) => sum + (file.isDatabase ? 0 : file.size), 0),
      branches: Math.max(1, queries.branchCount(row.key)),
      kept: isKept(living.length > 0 ? living : files, copies),
      gone: isGone(files),
      read: isRead,
    },
    isOpen: facts.isAsked || facts.calls.length > 0,
  };
}

/** A record without times has the times of its file. */
function timesOf({ facts }: SessionRow, files: readonly FileRow[]): { readonly createdAt: string; readonly updatedAt: string } {
  const mtimes = files.map((file) => file.mtimeMs);
  const updatedAt = isoTime(facts.updatedAt) ?? isoOf(Math.max(0, ...mtimes));
  const created = isoOf(Math.min(...files.map((file) => Math.min(file.bornMs > 0 ? file.bornMs : file.mtimeMs, file.mtimeMs)), Date.parse(updatedAt)));
  return { createdAt: isoTime(facts.createdAt) ?? created, updatedAt };
}

/** The main file counts; without one, the parts do. */
function isGone(files: readonly FileRow[]): boolean {
  const own = files.filter((file) => file.part === undefined);
  return (own.length > 0 ? own : files).every((file) => file.isGone);
}

/** Gone, without a kept copy. */
export const isLost = (files: readonly FileRow[], copies: KeptCopies | undefined): boolean =>
  isGone(files) && !files.some((file) => copies !== undefined && keptBytes(copies, file) >= 0);

function isKept(files: readonly FileRow[], copies: KeptCopies | undefined): boolean {
  return copies !== undefined && files.length > 0 && files.every((file) => !file.isDatabase && keptBytes(copies, file) >= file.size);
}

function keptBytes(copies: KeptCopies, file: FileRow): number {
  const copy = copies.open(file);
  copy?.close();
  return copy?.size ?? -1;
}

/** A stated origin wins over matching first lines. */
function parentOf(queries: ArchiveQueries, { agent, facts, parent }: SessionRow): PastSession['parent'] {
  if (facts.continues !== undefined) {
    const other = queries.session(archivedIdOf(agent, facts.continues.agentSessionId));
    if (other === undefined) return undefined;
    const { upTo } = facts.continues;
    const known = upTo === undefined ? undefined : queries.identity(other.key, nodeIdentity(upTo));
    return { sessionId: other.id, seq: known === undefined ? other.lastSeq : known.seq + Math.max(known.given, 1) - 1 };
  }
  const other = parent && queries.sessionByKey(parent.key);
  return other && parent && { sessionId: other.id, seq: parent.seq };
}
