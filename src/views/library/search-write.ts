import { documentsOf, type SearchDocument } from '../../domain/search/document.ts';
import { indexText } from '../../domain/search/fold.ts';
import { pathsIn, touchesOf } from '../../domain/search/paths.ts';
import { type Database, intOf, textOf } from '../../journal/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import type { KnownSession, PartWriter } from './part.ts';
import { facetOf, HOW, packFacts } from './search-facts.ts';
import { idGiver } from './search-ids.ts';
import { type SearchStatements, searchStatements } from './search-sql.ts';
import { tidy } from './search-tidy.ts';

export function searchWriter(db: Database): PartWriter {
  const sql = searchStatements(db);
  return {
    take: (session, events) => new Batch(sql, session).take(events),
    describe: (session) => new Batch(sql, session).describe(),
    forget: (session) => forget(sql, session),
    clear: () => clear(db),
    tidy: () => tidy(sql),
  };
}

/** Nothing cached outlives it, because a transaction may be rolled back. */
class Batch {
  readonly #sql: SearchStatements;
  readonly #session: KnownSession;
  readonly #names = new Map<string, number>();
  readonly #giveId: (ms: number) => number;

  constructor(sql: SearchStatements, session: KnownSession) {
    this.#sql = sql;
    this.#session = session;
    this.#giveId = idGiver(sql);
  }

  take(events: readonly Event[]): void {
    const calls = new Calls(this.#sql, this.#session.number);
    const rows = events.flatMap((event) => this.#rowsOf(event, calls));
    calls.keep();
    // In the order of their numbers, or the index would begin a new segment with each step back.
    for (const row of rows.sort((a, b) => a.ms - b.ms)) this.#write(row);
    for (const event of events) this.#touch(event);
  }

  /** The title is a row of its own, as old as the session. */
  describe(): void {
    this.#place();
    this.#replace(TITLE_SLOT, { kind: 'title', text: this.#session.title }, { seq: 1, ms: msOf(this.#session.createdAt), isInherited: false });
  }

  #rowsOf(event: Event, calls: Calls): readonly NewRow[] {
    const known = calls.learn(event, (kind, name) => this.#number(kind, name));
    const place = { seq: event.seq, ms: msOf(event.at), isInherited: event.inherited === true };
    if (event.type === 'meta.changed' || event.type === 'item.marked') {
      if (event.note !== undefined) this.#replace(event.type === 'item.marked' ? event.target : 0, { kind: 'note', text: event.note ?? '' }, place);
      return [];
    }
    return documentsOf(event).map((document) => ({
      ...place,
      tool: document.tool === undefined ? known.tool : this.#number('tool', document.tool),
      path: document.path === undefined ? known.path : this.#number('path', document.path),
      document,
    }));
  }

  #replace(slot: number, document: SearchDocument, place: Place): void {
    const { number } = this.#session;
    const before = this.#sql.slot.get(number, slot);
    if (before) drop(this.#sql, intOf(before, 'doc'));
    if (document.text.trim() === '') return void this.#sql.dropSlot.run(number, slot);
    this.#sql.putSlot.run(number, slot, this.#write({ ...place, tool: 0, path: 0, document }));
  }

  #write({ seq, ms, isInherited, tool, path, document }: NewRow): number {
    const { kind, text, isError = false } = document;
    const id = this.#giveId(ms);
    const facets = [this.#sessionFacets(), facetOf.kind(kind)];
    if (isError) facets.push(facetOf.error);
    if (tool !== 0) facets.push(facetOf.tool(tool));
    if (path !== 0) facets.push(facetOf.path(path));
    this.#sql.putDoc.run(id, this.#session.number, seq, ms, packFacts({ kind, isError, isInherited }), tool, path);
    this.#sql.putWords.run(id, `${indexText(text)} ${facets.join(' ')}`);
    return id;
  }

  #facets: string | undefined;
  #sessionFacets(): string {
    this.#facets ??= `${facetOf.session(this.#session.number)} ${facetOf.agent(this.#number('agent', this.#session.agent))} ${facetOf.project(this.#place())}`;
    return this.#facets;
  }

  /** The project's number, under which this batch's rows are found; remembered when earlier ones are under another. */
  #place(): number {
    const project = this.#number('project', this.#session.projectId);
    const before = this.#sql.placed.get(this.#session.number);
    if (before === undefined) this.#sql.putPlaced.run(this.#session.number, project);
    else if (before.project !== project) this.#sql.move.run(this.#session.number);
    return project;
  }

  #touch(event: Event): void {
    for (const { path, how } of touchesOf(event)) {
      this.#sql.touch.run(this.#number('path', path), this.#session.number, event.seq, msOf(event.at), HOW[how] | (event.inherited ? 0 : HOW.own));
    }
  }

  #number(kind: string, name: string): number {
    const key = `${kind} ${name}`;
    const number = this.#names.get(key) ?? Number((this.#sql.name.get(kind, name) ?? this.#sql.putName.get(kind, name))?.number);
    this.#names.set(key, number);
    return number;
  }
}

interface Place {
  readonly seq: number;
  readonly ms: number;
  readonly isInherited: boolean;
}

interface NewRow extends Place {
  readonly tool: number;
  readonly path: number;
  readonly document: SearchDocument;
}

interface Call {
  readonly tool: number;
  readonly path: number;
}

const NO_CALL: Call = { tool: 0, path: 0 };

/** More open calls than any agent has; older ones were never closed. */
const OPEN_CALLS = 1000;

/** The calls of a session that have no result yet. */
class Calls {
  readonly #sql: SearchStatements;
  readonly #session: number;
  readonly #open: Map<string, Call>;
  #changed = false;

  constructor(sql: SearchStatements, session: number) {
    this.#sql = sql;
    this.#session = session;
    this.#open = new Map(sql.calls.all(session).map((row) => [textOf(row, 'call'), { tool: intOf(row, 'tool'), path: intOf(row, 'path') }]));
  }

  /** Which call an event is the result of. */
  learn(event: Event, numberOf: (kind: string, name: string) => number): Call {
    if (event.type === 'tool.started') {
      const [path] = pathsIn(event.input);
      this.#open.set(event.toolUseId, { tool: numberOf('tool', event.name), path: path === undefined ? 0 : numberOf('path', path) });
      this.#changed = true;
    }
    if (event.type !== 'tool.completed') return NO_CALL;
    const call = this.#open.get(event.toolUseId);
    if (call) this.#changed = true;
    this.#open.delete(event.toolUseId);
    return call ?? NO_CALL;
  }

  keep(): void {
    if (!this.#changed) return;
    this.#sql.dropCalls.run(this.#session);
    for (const [call, { tool, path }] of [...this.#open].slice(-OPEN_CALLS)) this.#sql.putCall.run(this.#session, call, tool, path);
  }
}

const TITLE_SLOT = -1;

function msOf(at: string): number {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

function drop(sql: SearchStatements, id: number): void {
  sql.dropWords.run(id);
  sql.dropDoc.run(id);
}

function forget(sql: SearchStatements, session: number): void {
  for (const row of sql.docsOf.all(`"${facetOf.session(session)}"`)) drop(sql, intOf(row, 'id'));
  for (const statement of sql.forget) statement.run(session);
}

function clear(db: Database): void {
  const tables = ['docs', 'names', 'placed', 'calls', 'slots', 'touches'].map((table) => `DELETE FROM ${table}`);
  db.exec(`INSERT INTO words (words) VALUES ('delete-all'); ${tables.join(';')}; UPDATE spill SET slices = 0`);
}
