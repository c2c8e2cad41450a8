import type { SearchDocument } from '../../domain/search/document.ts';
import { indexText } from '../../domain/search/fold.ts';
import { touchesOf } from '../../domain/search/paths.ts';
import type { PreparedTexts } from '../../domain/search/prepared.ts';
import { intOf } from '../../journal/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import type { KnownSession } from '../store/index-part.ts';
import type { Names } from './name-ids.ts';
import { facetOf, HOW, packFacts } from './row-facts.ts';
import type { SearchStatements } from './search-sql.ts';
import { type IndexedText, textsSource } from './texts.ts';
import { type Call, Calls, NO_CALL } from './tool-calls.ts';
import type { InTransaction } from './transaction-state.ts';

interface RowPosition {
  readonly seq: number;
  readonly ms: number;
  readonly isInherited: boolean;
}

interface NewRow extends IndexedText {
  readonly place: RowPosition;
  readonly call: Call;
}

interface LastTouch {
  readonly place: RowPosition;
  readonly hows: number;
}

/** Writes some events of one session. */
export class Batch {
  readonly #sql: SearchStatements;
  readonly #session: KnownSession;
  readonly #names: Names;
  readonly #within: InTransaction;
  readonly #calls: Calls;
  readonly #touches = new Map<number, LastTouch>();
  #facets: string | undefined;

  constructor(sql: SearchStatements, within: InTransaction, session: KnownSession) {
    this.#sql = sql;
    this.#session = session;
    this.#names = within.names;
    this.#within = within;
    this.#calls = new Calls(sql, session.number);
  }

  take(events: readonly Event[], prepared: PreparedTexts | undefined): void {
    const textsOf = textsSource(prepared);
    const rows: NewRow[] = [];
    for (const event of events) {
      const place = { seq: event.seq, ms: msOf(event.at), isInherited: event.inherited === true };
      this.#touch(event, place);
      if (event.type === 'meta.changed' || event.type === 'item.marked') this.#note(event, place);
      else for (const { document, words } of textsOf(event)) rows.push({ place, call: this.#callOf(event, document), document, words });
      if (event.type === 'tool.completed') this.#calls.end(event.toolUseId);
    }
    // In ascending order: FTS5 starts a new segment with every step back.
    for (const row of rows.sort((a, b) => a.place.ms - b.place.ms)) this.#write(row);
    this.#calls.save();
    for (const [path, { place, hows }] of this.#touches) this.#sql.touch.run(path, this.#session.number, place.seq, place.ms, hows);
  }

  /** The title has its own row, as old as the session. */
  describe(): void {
    const document = { kind: 'title', text: this.#session.title } as const;
    this.#replace(TITLE_SLOT, document, { seq: 1, ms: msOf(this.#session.createdAt), isInherited: false });
    this.#recordProject();
  }

  #callOf(event: Event, document: IndexedText['document']): Call {
    const call = { tool: this.#names.numberOf('tool', document.tool), path: this.#names.numberOf('path', document.path) };
    if (event.type === 'tool.started') this.#calls.start(event.toolUseId, call);
    if (event.type !== 'tool.completed') return call;
    const started = this.#calls.of(event.toolUseId);
    return { tool: started.tool, path: call.path || started.path };
  }

  #note(event: Extract<Event, { type: 'meta.changed' | 'item.marked' }>, place: RowPosition): void {
    if (event.note === undefined) return;
    this.#replace(event.type === 'item.marked' ? event.target : SESSION_NOTE_SLOT, { kind: 'note', text: event.note ?? '' }, place);
  }

  #replace(slot: number, document: SearchDocument, place: RowPosition): void {
    const { number } = this.#session;
    const before = this.#sql.slot.get(number, slot);
    if (before) this.#within.dropRow(intOf(before, 'doc'));
    if (document.text.trim() === '') this.#sql.dropSlot.run(number, slot);
    else this.#sql.putSlot.run(number, slot, this.#write({ place, call: NO_CALL, document, words: indexText(document.text) }));
  }

  #write({ place: { seq, ms, isInherited }, call: { tool, path }, document, words }: NewRow): number {
    const { kind, isError = false } = document;
    const id = this.#within.allocateId(ms);
    let facets = ` ${this.#sessionFacets()} ${facetOf.kind(kind)}`;
    if (isError) facets += ` ${facetOf.error}`;
    if (tool !== 0) facets += ` ${facetOf.tool(tool)}`;
    if (path !== 0) facets += ` ${facetOf.path(path)}`;
    this.#sql.putDoc.run(id, this.#session.number, seq, ms, packFacts({ kind, isError, isInherited }), tool, path);
    this.#within.words.put(id, words, facets);
    return id;
  }

  #sessionFacets(): string {
    const { number, agent } = this.#session;
    this.#facets ??= [facetOf.session(number), facetOf.agent(this.#names.numberOf('agent', agent)), facetOf.project(this.#recordProject())].join(' ');
    return this.#facets;
  }

  /** The number of the project under which this batch's rows are found; marks the session if earlier rows are under another one. */
  #recordProject(): number {
    const project = this.#names.numberOf('project', this.#session.projectId);
    const before = this.#sql.placed.get(this.#session.number);
    if (before === undefined) this.#sql.putPlaced.run(this.#session.number, project);
    else if (before.project !== project) this.#sql.move.run(this.#session.number);
    return project;
  }

  #touch(event: Event, place: RowPosition): void {
    for (const { path, how } of touchesOf(event)) {
      const number = this.#names.numberOf('path', path);
      this.#touches.set(number, { place, hows: (this.#touches.get(number)?.hows ?? 0) | HOW[how] | (place.isInherited ? 0 : HOW.own) });
    }
  }
}

const TITLE_SLOT = -1;
const SESSION_NOTE_SLOT = 0;

function msOf(at: string): number {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
