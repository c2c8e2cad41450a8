import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AgentArchive } from '../../../src/agents/port/archive.ts';
import { archivedIdOf } from '../../../src/agents/port/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader, PastBatch, PastSession } from '../../../src/archive/archive.ts';
import { openArchiveIndexer } from '../../../src/archive/open-indexer.ts';
import { openArchiveReader } from '../../../src/archive/open-reader.ts';
import type { KeptCopies } from '../../../src/archive/records/record-bytes.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TOY, type ToyLine, toyArchive } from './toy-archive.ts';

/** What the indexer reported, in order. */
export class ReportedNews implements ArchiveNews {
  readonly batches: PastBatch[] = [];
  readonly listedSessions = new Map<SessionId, PastSession>();
  readonly grownSessions: string[] = [];

  read(batch: PastBatch): void {
    this.batches.push(batch);
  }
  listed(session: PastSession): void {
    this.listedSessions.set(session.id, session);
  }
  removed(id: SessionId): void {
    this.listedSessions.delete(id);
  }
  grown(_agent: string, agentSessionId: string): void {
    this.grownSessions.push(agentSessionId);
  }
}

/** A folder of records, an indexer over it that can be opened again, and a reader. */
export class ToySetup {
  readonly root = temporaryFolder('records');
  readonly dataDir = temporaryFolder('data');
  readonly reported = new ReportedNews();
  indexer: ArchiveIndexer;
  readonly reader: ArchiveReader;

  constructor(private readonly options: { readonly copies?: KeptCopies; readonly changes?: Partial<AgentArchive> } = {}) {
    this.indexer = this.open();
    this.reader = this.openReader();
    onTestFinished(() => {
      this.indexer.close();
      this.reader.close();
    });
  }

  write(path: string, lines: readonly (ToyLine | string)[]): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), textOf(lines));
  }

  append(path: string, lines: readonly (ToyLine | string)[]): void {
    appendFileSync(this.path(path), textOf(lines));
  }

  /** Puts another file in its place, like a program that rewrites a file. */
  replace(path: string, lines: readonly (ToyLine | string)[]): void {
    writeFileSync(`${this.path(path)}.new`, textOf(lines));
    renameSync(`${this.path(path)}.new`, this.path(path));
  }

  path(path: string): string {
    return join(this.root, path);
  }

  /** Sweeps and reads until nothing is due. */
  read(): void {
    this.indexer.sweep();
    while (this.indexer.step());
  }

  reopen(changes?: Partial<AgentArchive>): void {
    this.indexer.close();
    this.indexer = this.open(changes);
  }

  events(agentSessionId: string, page: { after?: number; before?: number; branch?: number; limit?: number } = {}): readonly Event[] {
    return this.reader.events(archivedIdOf(TOY, agentSessionId), { limit: 10_000, ...page });
  }

  session(agentSessionId: string): PastSession | undefined {
    return this.reader.session(archivedIdOf(TOY, agentSessionId));
  }

  /** The events of a session in short: number and text. */
  transcript(agentSessionId: string, branch?: number): readonly string[] {
    return this.events(agentSessionId, branch === undefined ? {} : { branch }).map((event) => `${event.seq} ${textOfEvent(event)}`);
  }

  private open(changes = this.options.changes): ArchiveIndexer {
    const { copies } = this.options;
    const agents = [{ id: TOY, archive: toyArchive(this.root, changes) }];
    return openArchiveIndexer({ dataDir: this.dataDir, agents, env: {}, news: this.reported, now: () => performance.now(), ...(copies && { copies }) });
  }

  private openReader(): ArchiveReader {
    const { copies, changes } = this.options;
    return openArchiveReader({ dataDir: this.dataDir, agents: [{ id: TOY, archive: toyArchive(this.root, changes) }], ...(copies && { copies }) });
  }
}

export const textOf = (lines: readonly (ToyLine | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

export function textOfEvent(event: Event): string {
  switch (event.type) {
    case 'user.message':
      return `> ${event.text}`;
    case 'assistant.text':
    case 'notice.shown':
      return event.text;
    case 'unrecognised':
      return `? ${event.raw}`;
    case 'tool.started':
    case 'tool.completed':
      return `${event.type} ${event.toolUseId}`;
    default:
      return event.type;
  }
}
