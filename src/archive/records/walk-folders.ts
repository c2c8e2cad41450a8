import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';

/** Called for what a walk finds. */
export interface Visitor {
  /** A regular file below the root. `relative` uses `/`. */
  file(root: string, relative: string, stat: () => Stats | undefined): void;
  unreadable(path: string, error: unknown): void;
}

/**
 * Walks all folders below a root. Links are never followed: one that stays below the root leads to files that are found anyway, and one
 * that leaves it leads to files we must not read. The root itself can be a link.
 */
export function walk(root: string, visitor: Visitor): void {
  const real = realRoot(root, visitor);
  if (real !== undefined) walkFolder(real, '', visitor);
}

/** A missing root has no records. */
function realRoot(root: string, visitor: Visitor): string | undefined {
  try {
    return realpathSync(root);
  } catch (error) {
    if (!isAbsent(error)) visitor.unreadable(root, error);
    return undefined;
  }
}

/** `folder` is relative to the root, with a `/` at its end. */
export function walkFolder(root: string, folder: string, visitor: Visitor): void {
  for (const entry of entriesOf(`${root}/${folder}`, visitor)) {
    const relative = folder + entry.name;
    if (entry.isDirectory()) walkFolder(root, `${relative}/`, visitor);
    else if (entry.isFile()) visitor.file(root, relative, () => statOf(`${root}/${relative}`, visitor));
  }
}

function entriesOf(path: string, visitor: Visitor): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (!isAbsent(error)) visitor.unreadable(path, error);
    return [];
  }
}

function statOf(path: string, visitor: Visitor): Stats | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : undefined;
  } catch (error) {
    visitor.unreadable(path, error);
    return undefined;
  }
}

export const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
