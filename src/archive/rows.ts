import { bytesOf, intOf, jsonOf, type Row, textOf } from '../journal/sqlite-driver.ts';
import { AgentId, SessionId } from '../protocol/ids.ts';
import { Facts } from './facts.ts';
import { type BranchState, type Known, unpackTips } from './records/branching.ts';

/** A session as stored in archive.db. */
export interface SessionRow {
  readonly key: number;
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  lastSeq: number;
  /** The branch that the agent would continue. */
  active: number;
  facts: Facts;
  readonly parent?: { readonly key: number; readonly seq: number };
}

/** A file of a record, or one conversation in a database. */
export interface FileRow {
  readonly key: number;
  readonly session: number;
  /** The real path, links resolved. */
  readonly root: string;
  readonly path: string;
  readonly part?: string;
  readonly companion?: string;
  readonly isDatabase: boolean;
  size: number;
  mtimeMs: number;
  inode: number;
  readonly bornMs: number;
  /** Everything before this byte, or up to this row, was read. */
  offset: number;
  /** A fingerprint of its start and of the bytes before `offset`, to notice another file at the same path. */
  mark: Uint8Array;
  /** Version of the adapter that read it. */
  version: number;
  /** The time of its last line that had one. */
  lastAt?: number;
  /** For a part, the branch it belongs to; 0 before its first line. */
  branch: number;
  isWhole: boolean;
  isGone: boolean;
}

/** A line with events. */
export interface LineRow {
  readonly seq: number;
  readonly events: number;
  readonly skip: number;
  readonly file: number;
  readonly place: number;
  readonly bytes: number;
  readonly branch: number;
  readonly at?: number;
}

export function toSession(row: Row): SessionRow {
  return {
    key: intOf(row, 'key'),
    id: SessionId.parse(textOf(row, 'id')),
    agent: AgentId.parse(textOf(row, 'agent')),
    agentSessionId: textOf(row, 'agent_session'),
    lastSeq: intOf(row, 'last_seq'),
    active: intOf(row, 'active'),
    facts: Facts.parse(jsonOf(row, 'facts')),
    ...(row.parent !== null && { parent: { key: intOf(row, 'parent'), seq: intOf(row, 'parent_seq') } }),
  };
}

export function toFile(row: Row): FileRow {
  return {
    key: intOf(row, 'key'),
    session: intOf(row, 'session'),
    root: textOf(row, 'root'),
    path: textOf(row, 'path'),
    ...(row.part !== null && { part: textOf(row, 'part') }),
    ...(row.companion !== null && { companion: textOf(row, 'companion') }),
    isDatabase: intOf(row, 'is_database') === 1,
    size: intOf(row, 'size'),
    mtimeMs: intOf(row, 'mtime_ms'),
    inode: intOf(row, 'inode'),
    bornMs: intOf(row, 'born_ms'),
    offset: intOf(row, 'offset'),
    mark: bytesOf(row, 'mark'),
    version: intOf(row, 'version'),
    ...(row.last_at !== null && { lastAt: intOf(row, 'last_at') }),
    branch: intOf(row, 'branch'),
    isWhole: intOf(row, 'is_whole') === 1,
    isGone: intOf(row, 'is_gone') === 1,
  };
}

export const toLine = (row: Row): LineRow => ({
  seq: intOf(row, 'seq'),
  events: intOf(row, 'events'),
  skip: intOf(row, 'skip'),
  file: intOf(row, 'file'),
  place: intOf(row, 'place'),
  bytes: intOf(row, 'bytes'),
  branch: intOf(row, 'branch'),
  ...(row.at !== null && { at: intOf(row, 'at') }),
});

export const toKnown = (row: Row): Known => ({ seq: intOf(row, 'seq'), given: intOf(row, 'given'), branch: intOf(row, 'branch') });

export const toBranch = (row: Row): BranchState => ({
  branch: intOf(row, 'branch'),
  ...(row.from_branch !== null && { from: { branch: intOf(row, 'from_branch'), seq: intOf(row, 'from_seq') } }),
  lastSeq: intOf(row, 'last_seq'),
  ...(row.at !== null && { at: intOf(row, 'at') }),
  events: intOf(row, 'events'),
  ...(row.title !== null && { title: textOf(row, 'title') }),
  tips: unpackTips(bytesOf(row, 'tips')),
});
