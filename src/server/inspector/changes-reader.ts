import { ChangedFiles } from '../../domain/changes/fold.ts';
import { hunkTexts } from '../../domain/changes/patch.ts';
import { absolutePath } from '../../domain/changes/path.ts';
import { type Edit, type Part, partsOf } from '../../domain/changes/review.ts';
import type { ChangedFile, SessionChanges } from '../../protocol/api/changes.ts';
import type { BlobRef, Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { FoldReader, type InspectorSources } from './fold-reader.ts';

export interface ChangesReader {
  /** What the tools of a session changed. With a path: only that file, with its whole patch. */
  read(from: InspectorSources, session: Session, path?: string): Promise<SessionChanges>;
}

export function createChangesReader(): ChangesReader {
  const reader = new FoldReader<ReadChanges>({ make: (session) => new ReadChanges(session.cwd), prepare: (from, fold, events) => fold.fetch(from, events) });
  return {
    read: (from, session, path) => reader.read(from, session, (fold) => answerOf(fold, path === undefined ? undefined : absolutePath(session.cwd, path))),
  };
}

/** What the tools of a session changed, as these of its events say. */
export async function changesOf(from: InspectorSources, session: Session, events: readonly Event[]): Promise<SessionChanges> {
  const fold = new ReadChanges(session.cwd);
  await fold.fetch(from, events);
  for (const event of events) fold.add(event);
  return answerOf(fold, undefined);
}

export interface EditsReader {
  /** What the tools of a session did to one file, given as an absolute path, oldest first. */
  read(from: InspectorSources, session: Session, path: string): Promise<readonly Edit[]>;
}

/** Who wrote a line may be in any of many sessions, so more of them are kept. */
const EDITS_KEPT = 64;

export function createEditsReader(): EditsReader {
  const maker = {
    make: (session: Session) => new ReadChanges(session.cwd),
    prepare: (from: InspectorSources, fold: ReadChanges, events: readonly Event[]) => fold.fetch(from, events),
  };
  const reader = new FoldReader<ReadChanges>(maker, EDITS_KEPT);
  return { read: (from, session, path) => reader.read(from, session, (fold) => fold.files().get(path) ?? []) };
}

/** The fold, with the long patches that its next events refer to. */
class ReadChanges extends ChangedFiles {
  readonly #texts: Map<string, string>;
  /** Long patches of calls that still run, by call. */
  readonly #intended = new Map<string, BlobRef>();

  constructor(cwd: string) {
    const texts = new Map<string, string>();
    super(cwd, ({ sha256, bytes }) => (bytes > LIMITS.patchBytes ? undefined : texts.get(sha256)));
    this.#texts = texts;
  }

  async fetch({ engine, sessionIndex }: InspectorSources, events: readonly Event[]): Promise<void> {
    this.#texts.clear();
    for (const event of events) {
      const patch = this.#patchOf(event);
      if (patch === undefined || patch.bytes > LIMITS.patchBytes) continue;
      const bytes = engine.blob(patch.sha256) ?? (await sessionIndex.blob(patch.sha256));
      if (bytes !== undefined) this.#texts.set(patch.sha256, Buffer.from(bytes).toString('utf8'));
    }
  }

  /** The long patch that this event needs: its own, or that of the call it completes. */
  #patchOf(event: Event): BlobRef | undefined {
    const intended = event.blobs?.['intends.patch'];
    if (event.type === 'tool.started' && intended !== undefined) this.#intended.set(event.toolUseId, intended);
    if (event.type !== 'tool.completed') return undefined;
    const ofCall = this.#intended.get(event.toolUseId);
    this.#intended.delete(event.toolUseId);
    return event.blobs?.['change.patch'] ?? ofCall;
  }
}

function answerOf(fold: ChangedFiles, only: string | undefined): SessionChanges {
  let room: number = only === undefined ? LIMITS.changesBytes : Number.POSITIVE_INFINITY;
  const changes = [...fold.files()].flatMap(([path, edits]) => {
    if (only !== undefined && path !== only) return [];
    const parts = known(edits);
    room -= parts.reduce((sum, { patch }) => sum + patch.length, 0);
    return [fileOf(path, edits, parts, room >= 0)];
  });
  const sum = (of: (file: ChangedFile) => number): number => changes.reduce((all, file) => all + of(file), 0);
  return {
    changes,
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    edits: sum(({ edits }) => edits.length),
    seq: fold.seq,
  };
}

/** Cached, so the same edits are combined only once. */
const parts = new WeakMap<readonly Edit[], readonly Part[]>();
function known(edits: readonly Edit[]): readonly Part[] {
  const made = parts.get(edits) ?? partsOf(edits);
  parts.set(edits, made);
  return made;
}

function fileOf(path: string, edits: readonly Edit[], made: readonly Part[], withPatch: boolean): ChangedFile {
  const [first, last] = [made[0], made.at(-1)];
  return {
    path,
    kind: last?.kind === 'delete' ? 'delete' : first?.kind === 'create' ? 'create' : 'edit',
    additions: made.reduce((sum, part) => sum + part.additions, 0),
    deletions: made.reduce((sum, part) => sum + part.deletions, 0),
    edits: edits.map(({ change: _change, isCut: _isCut, ...call }) => call),
    ...(withPatch && { patch: made.map(({ patch }) => (patch === '' || patch.endsWith('\n') ? patch : `${patch}\n`)).join('') }),
    parts: made.map((part) => ({
      kind: part.kind,
      additions: part.additions,
      deletions: part.deletions,
      edits: part.edits.length,
      hunks: hunkTexts(part.patch).length,
    })),
    ...(edits.some(({ isCut }) => isCut) && { cut: true }),
  };
}
