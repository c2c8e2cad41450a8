import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { archivedIdOf } from '../../../src/agents/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader } from '../../../src/archive/archive.ts';
import { openArchiveIndexer } from '../../../src/archive/open-indexer.ts';
import { openArchiveReader } from '../../../src/archive/open-reader.ts';
import type { FoundHits, LibraryWriter } from '../../../src/index/store/index-store.ts';
import { openLibraryWriter } from '../../../src/index/store/open-index.ts';
import { openLibraryReader } from '../../../src/index/store/open-index-reader.ts';
import { HeldSessions, libraryParts, libraryPath, textOfBlob } from '../../../src/index/threads/index-parts.ts';
import type { FilingNews, IndexingNews } from '../../../src/index/threads/messages.ts';
import { ReadingDesk } from '../../../src/index/threads/reader-worker.ts';
import { IndexingDesk } from '../../../src/index/threads/records-worker.ts';
import { LibraryDesk } from '../../../src/index/threads/writer-worker.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openJournalReader, openSqliteJournal } from '../../../src/journal/sqlite/open-journal.ts';
import type { EventBody } from '../../../src/protocol/event.ts';
import { TOY, type ToyLine, toyArchive } from '../archive/toy-archive.ts';
import { textOf } from '../archive/toy-setup.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const idOf = (conversation: string) => archivedIdOf(TOY, conversation);

interface Changes {
  readonly indexer?: (real: ArchiveIndexer) => Partial<ArchiveIndexer>;
  readonly writer?: (real: LibraryWriter) => Partial<LibraryWriter>;
  readonly reader?: (real: ArchiveReader) => Partial<ArchiveReader>;
}

/** Records of the toy agent, a journal, and both desks of the library over them. The desks can be opened again. */
export class DeskHouse {
  readonly root = temporaryFolder('records');
  readonly dataDir = temporaryFolder('data');
  readonly news: IndexingNews[] = [];
  /** How much later it is than the clock says. */
  laterMs = 0;
  readonly journal: Journal = openSqliteJournal({ dataDir: this.dataDir });
  private opened: ReturnType<DeskHouse['open']> | undefined;

  constructor() {
    onTestFinished(() => {
      this.close();
      this.journal.close();
    });
  }

  get desk(): IndexingDesk {
    this.opened ??= this.open({});
    return this.opened.desk;
  }

  /** Opens the desks, some of whose parts act otherwise than the real ones. */
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

  /** A session of ours goes on with a conversation after `base`. */
  goOn(conversation: string, base: number, says: string): void {
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
    this.desk.answer({ ask: 'journal' });
  }

  /** Looks at all records and works until nothing is left to do. */
  run(): void {
    this.desk.sweep();
    this.work();
  }

  work(): void {
    while (this.step());
  }

  /** One step of whoever has something to do. */
  step(): boolean {
    this.opened ??= this.open({});
    return this.opened.desk.step() || this.opened.library.step();
  }

  /** What is found, beside titles, as numbers of events. */
  search(q: string): readonly number[] {
    return this.hits(q)
      .flatMap(({ kind, seq }) => (kind === 'title' ? [] : [seq]))
      .sort((a, b) => a - b);
  }

  /** Whether the library has a session of this title. */
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
    const held = new HeldSessions();
    const journal = openJournalReader(dataDir);
    const realReader = openArchiveReader({ dataDir, agents });
    const parts = { path: libraryPath(dataDir), ...libraryParts(agents, held) };
    const projectOf = (cwd: string) => ({ project: basename(cwd), projectId: cwd });
    const realWriter = openLibraryWriter({ ...parts, projectOf, blob: textOfBlob(journal, realReader) });
    const reader = changed(realReader, changes.reader?.(realReader));
    const post = (news: IndexingNews | FilingNews) => {
      if (news.tell !== 'behind') this.news.push(news);
    };
    const now = () => performance.now() + this.laterMs;
    const library = new LibraryDesk({ reader, writer: changed(realWriter, changes.writer?.(realWriter)), journal, post, now, held });
    const indexer = (news: ArchiveNews) => {
      const real = openArchiveIndexer({ dataDir, agents, env: {}, news, now });
      return changed(real, changes.indexer?.(real));
    };
    const desk = new IndexingDesk({ indexer, reader, library, post, now, disk: { low: false } });
    const reading = new ReadingDesk({ archive: openArchiveReader({ dataDir, agents }), library: openLibraryReader(parts), journal, held });
    const close = () => {
      void desk.close();
      reading.answer({ ask: 'close' });
      journal.close();
    };
    return { desk, library, reading, close };
  }
}

/** The real one, but for some of what it does. */
function changed<T extends object>(real: T, changes: Partial<T> = {}): T {
  const own: Partial<Record<string | symbol, unknown>> = { ...changes };
  return new Proxy(real, {
    get: (target, name) => {
      const value: unknown = own[name] ?? Reflect.get(target, name);
      return typeof value === 'function' && !(name in own) ? value.bind(target) : value;
    },
  });
}
