import type { FileChange } from '../../protocol/event.ts';
import { compose } from './compose.ts';
import { type Counts, countPatch, type Hunk, printPatch, readPatch } from './patch.ts';

/** One call that changed a file. */
export interface Edit {
  readonly seq: number;
  readonly at: string;
  readonly toolUseId: string;
  readonly tool?: string;
  readonly turnId?: string;
  /** The turn's first event. */
  readonly turnSeq?: number;
  readonly change: FileChange;
  /** The patch was too long to be read: only its head is here. */
  readonly isCut?: boolean;
}

/** Edits of one file that follow each other without a gap, as one change. */
export interface Part extends Counts {
  readonly kind: FileChange['kind'];
  readonly patch: string;
  readonly edits: readonly Edit[];
}

/** All edits of a file as parts: consecutive edits are one part as long as each was made to the result of the previous one. */
export function partsOf(edits: readonly Edit[]): readonly Part[] {
  const open: OpenPart[] = [];
  for (const edit of edits) {
    const last = open.at(-1);
    const joined = last && join(last, edit);
    if (joined === undefined) open.push(newPart(edit));
    else open[open.length - 1] = joined;
  }
  return open.map(close);
}

interface OpenPart {
  readonly kind: FileChange['kind'];
  readonly edits: readonly Edit[];
  /** Undefined when the patch is too uncertain to build on. */
  readonly hunks: readonly Hunk[] | undefined;
  /** The original patch, while there is only one edit. */
  readonly original?: string;
}

const newPart = (edit: Edit): OpenPart => ({
  kind: edit.change.kind,
  edits: [edit],
  hunks: edit.isCut ? undefined : readPatch(edit.change.patch),
  original: edit.change.patch,
});

function join(part: OpenPart, edit: Edit): OpenPart | undefined {
  const kind = kindAfter(part.kind, edit.change.kind);
  const next = edit.isCut ? undefined : readPatch(edit.change.patch);
  if (kind === undefined || part.hunks === undefined || next === undefined) return undefined;
  const hunks = compose(part.hunks, next);
  return hunks && { kind, edits: [...part.edits, edit], hunks };
}

/** An existing file cannot be created, and a deleted one cannot be edited: then something happened that no tool reported. */
function kindAfter(before: FileChange['kind'], change: FileChange['kind']): FileChange['kind'] | undefined {
  if (before === 'delete') return change === 'create' ? 'edit' : undefined;
  if (change === 'create') return undefined;
  return change === 'delete' ? 'delete' : before;
}

function close({ kind, edits, hunks, original }: OpenPart): Part {
  const patch = original ?? printPatch(hunks ?? []);
  return { kind, patch, edits, ...countPatch(patch) };
}
