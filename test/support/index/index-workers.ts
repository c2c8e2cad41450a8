import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { archivedIdOf } from '../../../src/agents/port/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader } from '../../../src/archive/archive.ts';
import { openArchiveIndexer } from '../../../src/archive/open-indexer.ts';
import { openArchiveReader } from '../../../src/archive/open-reader.ts';
import type { FoundHits, IndexWriter } from '../../../src/index/store/index-store.ts';
import { indexParts, indexPath, SessionsOpenElsewhere, textOfBlob } from '../../../src/index/threads/index-parts.ts';
import type { RecordsNews, WriterNews } from '../../../src/index/threads/messages.ts';
import { openIndexWriter } from '../../../src/index/threads/open-index.ts';
import { openIndexReader } from '../../../src/index/threads/open-index-reader.ts';
import { ReaderWorker } from '../../../src/index/threads/reader-worker.ts';
import { RecordsWorker } from '../../../src/index/threads/records-worker.ts';
import { IndexWriterWorker } from '../../../src/index/threads/writer-worker.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openJournalReader, openSqliteJournal } from '../../../src/journal/sqlite/open-journal.ts';
import type { EventBody } from '../../../src/protocol/event.ts';
import { TOY, type ToyLine, toyArchive } from '../archive/toy-archive.ts';
import { textOf } from '../archive/toy-setup.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const idOf = (conversation: string) => archivedIdOf(TOY, conversation);

interface Changes {
  readonly indexer?: (real: ArchiveIndexer) => Partial<ArchiveIndexer>;
  readonly writer?: (real: IndexWriter) => Partial<IndexWriter>;
  readonly reader?: (real: ArchiveReader) => Partial<ArchiveReader>;
}

/** Records of the toy agent, a journal, and the three index workers over them, in one thread. The workers can be reopened. */
export class IndexWorkers {
  readonly root = temporaryFolder('records');
  readonly dataDir = temporaryFolder('data');
  readonly news: RecordsNews[] = [];
  /** Added to the clock. */
  laterMs = 0;
  readonly journal: Journal = openSqliteJournal({ dataDir: this.dataDir });
  private opened: ReturnType<IndexWorkers['open']> | undefined;

  constructor() {
    onTestFinished(() => {
      this.close();
      this.journal.close();
    });
  }

  get worker(): RecordsWorker {
    this.opened ??= this.open({});
    return this.opened.worker;
  }

  /** Opens the workers, with some parts replaced. */
  reopen(changes: Changes = {}): void {
    this.close();
    this.opened = this.open(changes);
  }

  close(): void {
    this.opened?.close();
    this.opened = undefined;
  }

  path(conversation: string): string {
    return join(this.root, `${conversation}.jsonl`);
  }

  write(conversation: string, lines: readonly ToyLine[]): void {
    writeFileSync(this.path(conversation), textOf(lines));
  }

  append(conversation: string, lines: readonly ToyLine[]): void {
    appendFileSync(this.path(conversation), textOf(lines));
  }

  /** A session of ours adopts a conversation after `base`. */
  adopt(conversation: string, base: number, says: string): void {
    const created: EventBody = {
      type: 'session.created',
      agent: TOY,
      cwd: '/work',
      node: 'n',
      owner: 'o',
      options: {},
      origin: { kind: 'resume', agentSessionId: conversation },
      base,
    };
    const said: EventBody = { type: 'user.message', origin: 'person', text: says };
    this.journal.append({ session: idOf(conversation), after: base, at: new Date(0).toISOString(), events: [created, said] });
    this.worker.answer({ ask: 'journal' });
  }

  /** Looks at all records and works until nothing is left to do. */
  run(): void {
    this.worker.sweep();
    this.work();
  }

  work(): void {
    while (this.step());
  }

  /** One step of a worker with something to do. */
  step(): boolean {
    this.opened ??= this.open({});
    return this.opened.worker.step() || this.opened.sessionIndex.step();
  }

  /** Hits, without titles, as event numbers. */
  search(q: string): readonly number[] {
    return this.hits(q)
      .flatMap(({ kind, seq }) => (kind === 'title' ? [] : [seq]))
      .sort((a, b) => a - b);
  }

  /** Whether the index has a session with this title. */
  hasTitle(q: string): boolean {
    return this.hits(q).some(({ kind }) => kind === 'title');
  }

  private hits(q: string): FoundHits['hits'] {
    this.opened ??= this.open({});
    const found = this.opened.reading.answer({ ask: 'search', query: { q, limit: 100 }, hidden: [] }) as FoundHits;
    return found.hits;
  }

  private open(changes: Changes) {
    const { dataDir } = this;
    const agents = [{ id: TOY, archive: toyArchive(this.root) }];
    const openElsewhere = new SessionsOpenElsewhere();
    const journal = openJournalReader(dataDir);
    const realReader = openArchiveReader({ dataDir, agents });
    const parts = { path: indexPath(dataDir), ...indexParts(agents, openElsewhere) };
    const projectOf = (cwd: string) => ({ project: basename(cwd), projectId: cwd });
    const realWriter = openIndexWriter({ ...parts, projectOf, blob: textOfBlob(journal, realReader) });
    const reader = changed(realReader, changes.reader?.(realReader));
    const post = (news: RecordsNews | WriterNews) => {
      if (news.kind !== 'behind') this.news.push(news);
    };
    const now = () => performance.now() + this.laterMs;
    const sessionIndex = new IndexWriterWorker({ reader, writer: changed(realWriter, changes.writer?.(realWriter)), journal, post, now, openElsewhere });
    const indexer = (news: ArchiveNews) => {
      const real = openArchiveIndexer({ dataDir, agents, env: {}, news, now });
      return changed(real, changes.indexer?.(real));
    };
    const worker = new RecordsWorker({ indexer, reader, sessionIndex, post, now, disk: { low: false } });
    const reading = new ReaderWorker({ archive: openArchiveReader({ dataDir, agents }), sessionIndex: openIndexReader(parts), journal, openElsewhere });
    const close = () => {
      void worker.close();
      reading.answer({ ask: 'close' });
      journal.close();
    };
    return { worker, sessionIndex, reading, close };
  }
}

/** The real object with some methods replaced. */
function changed<T extends object>(real: T, changes: Partial<T> = {}): T {
  const own: Partial<Record<string | symbol, unknown>> = { ...changes };
  return new Proxy(real, {
    get: (target, name) => {
      const value: unknown = own[name] ?? Reflect.get(target, name);
      return typeof value === 'function' && !(name in own) ? value.bind(target) : value;
    },
  });
}
