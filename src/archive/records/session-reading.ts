import type { PastLine } from '../../agents/port/archive.ts';
import type { Event } from '../../protocol/event.ts';
import type { Spent } from '../archive.ts';
import { BlobHashes } from '../blob-hashes.ts';
import { foldEvents, foldLine, titleOf } from '../facts.ts';
import type { LineRow, SessionRow } from '../rows.ts';
import type { ArchiveStore } from '../store.ts';
import { Branching, type BranchState, type Known } from './branching.ts';
import type { FileReading, ReadLine } from './file-reading.ts';
import { Identities } from './identities.ts';
import { gives, type Identity, nodeIdentity, textIdentity, untimedIdentity } from './identity.ts';
import { eventsOf, spentOf } from './line-events.ts';
import { earliest } from './read-record-range.ts';
import { clamped } from './times.ts';

/** A copy of a conversation is recognized by its first lines; the very first one can be about the file itself. */
const HEADS = 3;

export interface Slice {
  readonly events: readonly Event[];
  readonly spent: readonly Spent[];
  readonly isDone: boolean;
}

/** Called after each line with its size in bytes. */
export type MayContinue = (bytes?: number) => boolean;

/** Reads the due files of one session together, merged by time, each in its own order. */
export class SessionReading {
  private readonly branches: Map<number, BranchState>;
  private readonly branching: Branching;
  private readonly identities: Identities;
  private readonly blobs = new BlobHashes();
  private changed = new Set<BranchState>();
  private events: Event[] = [];
  private spent: Spent[] = [];
  private lines: LineRow[] = [];

  constructor(
    private readonly store: ArchiveStore,
    private readonly session: SessionRow,
    private readonly files: readonly FileReading[],
    /** Some files are gone: lines that pointed at them now point at their new location. */
    private readonly isRelocating: boolean,
    /** Lines without a number get none. */
    private readonly isOnlyMoved: boolean,
  ) {
    this.branches = store.branches(session.key);
    this.identities = new Identities(store, session.key, session.lastSeq === 0 && files.every(({ file }) => file.offset === 0));
    this.branching = new Branching(this.branches, session.active, (identity) => this.identities.get(identity));
  }

  /** Reads as long as `mayContinue`, in one transaction: numbers and offsets become durable together. */
  slice(mayContinue: MayContinue): Slice {
    this.events = [];
    this.spent = [];
    this.lines = [];
    const isDone = this.store.transaction(() => {
      const done = this.readMore(mayContinue);
      this.save(done);
      return done;
    });
    return { events: this.events, spent: this.spent, isDone };
  }

  close(): void {
    for (const file of this.files) file.close();
  }

  private readMore(mayContinue: MayContinue): boolean {
    for (;;) {
      const file = earliest(this.files);
      const line = file?.peek();
      if (file === undefined || line === undefined) return true;
      this.readLine(file, line);
      file.take(line);
      if (!mayContinue(line.bytes)) return false;
    }
  }

  private save(isDone: boolean): void {
    for (const reading of this.files) {
      reading.file.mark = reading.mark();
      if (isDone) reading.file.isWhole = true;
      this.store.saveFile(reading.file);
    }
    for (const branch of this.changed) this.store.saveBranch(this.session.key, branch);
    this.changed.clear();
    this.store.addLines(this.session.key, this.lines.splice(0));
    this.identities.save();
    this.session.active = this.branching.active;
    this.session.facts = foldEvents(this.session.facts, this.events);
    this.store.saveSession(this.session);
  }

  private readLine(file: FileReading, line: ReadLine): void {
    const { past } = line;
    this.session.facts = foldLine(this.session.facts, past, file.file.part !== undefined);
    if (!gives(past)) return;
    const identity = this.identityOf(file, line);
    const known = this.identities.get(identity);
    if (known === undefined && this.isOnlyMoved) return;
    if (known === undefined) return this.number(file, line, identity, { branch: this.branchOf(file, past, identity), given: 0 });
    if (this.isRelocating) this.move(file, line, identity, known);
    // A newer adapter finds more in the same line: existing events keep their numbers, the rest is new.
    if (!this.isOnlyMoved && past.observations.length > known.given)
      this.number(file, line, identity, { branch: this.branching.at(known.branch), given: known.given, known });
  }

  private move({ file }: FileReading, { place, bytes, past }: ReadLine, identity: Identity, known: Known): void {
    const to = { file: file.key, place, bytes };
    if (known.given > 0) this.store.moveLine(this.session.key, known, to);
    else if (past.spent !== undefined) this.store.moveSpend(this.session.key, identity, to);
  }

  private identityOf({ file }: FileReading, { past, text, time }: ReadLine): Identity {
    if (past.node !== undefined) return nodeIdentity(past.node.id);
    if (time !== undefined) return textIdentity(text);
    const count = this.store.countRepeat(file.key, untimedIdentity(text, file.part, 0));
    return untimedIdentity(text, file.part, count);
  }

  /** A part belongs to the branch that was current when it started. */
  private branchOf({ file }: FileReading, { node }: PastLine, identity: Identity): BranchState {
    if (file.part === undefined) return node === undefined ? this.branching.current() : this.branching.place(node, identity);
    const branch = file.branch === 0 ? this.branching.current() : this.branching.at(file.branch);
    file.branch = branch.branch;
    return branch;
  }

  private number(file: FileReading, line: ReadLine, identity: Identity, to: { branch: BranchState; given: number; known?: Known }): void {
    const { branch, given, known } = to;
    const events = line.past.observations.length - given;
    const seq = this.session.lastSeq + 1;
    const guess = line.time === undefined ? (file.file.lastAt ?? Math.round(clamped(file.file.mtimeMs))) : undefined;
    const place = { file: file.file.key, place: line.place, bytes: line.bytes, ...(guess !== undefined && { at: guess }) };
    if (events > 0) {
      this.lines.push({ seq, events, skip: given, ...place, branch: branch.branch });
      this.addEvents(file, line, given, { seq, at: line.time ?? guess ?? 0, isGuess: guess !== undefined });
    }
    this.extend(branch, events, line.time);
    const first = events > 0 ? seq : branch.lastSeq;
    this.identities.put(identity, { seq: given > 0 ? (known?.seq ?? first) : first, given: given + events, branch: branch.branch });
    if (known !== undefined) return;
    if (seq <= HEADS && line.past.node !== undefined && file.file.part === undefined) this.store.addHead(this.session.key, identity);
    if (line.past.spent !== undefined && events === 0) this.store.addSpend(this.session.key, identity, { seq: Math.max(1, this.session.lastSeq), ...place });
    this.spent.push(...spentOf(line.past, line.time ?? guess ?? 0, this.session.lastSeq));
  }

  private addEvents(file: FileReading, line: ReadLine, skip: number, where: { seq: number; at: number; isGuess: boolean }): void {
    const position = { ...where, file: file.file.path, place: line.place, bytes: line.bytes };
    for (const event of eventsOf(line.past, line.past.observations.slice(skip), position, this.blobs)) {
      for (const sha of this.blobs.taken()) this.store.addBlob(sha, this.session.key, where.seq);
      this.events.push(event);
    }
  }

  private extend(branch: BranchState, events: number, time: number | undefined): void {
    this.changed.add(branch);
    this.session.lastSeq += events;
    if (events > 0) branch.lastSeq = this.session.lastSeq;
    branch.events += events;
    if (time !== undefined) branch.at = time;
    if (branch.title === undefined) this.setTitle(branch, events);
  }

  /** The text of its own first message. */
  private setTitle(branch: BranchState, events: number): void {
    for (const event of events === 0 ? [] : this.events.slice(-events)) {
      const title = event.type === 'user.message' || event.type === 'assistant.text' ? titleOf(event.text) : undefined;
      if (title !== undefined && branch.title === undefined) branch.title = title;
    }
  }
}
