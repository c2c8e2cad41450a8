import { runSideGit } from './run-side-git.ts';
import type { SideRepository } from './side-repository.ts';

/** A file in a tree. Mode 160000 is a nested repository, 120000 a link. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}

/** A path that differs between two trees; undefined where it is absent. */
export interface TreeDifference {
  readonly path: string;
  readonly old: TreeEntry | undefined;
  readonly new: TreeEntry | undefined;
}

/** How two trees differ, or undefined when one of them can't be read. */
export async function differences(side: SideRepository, from: string, to: string): Promise<readonly TreeDifference[] | undefined> {
  if (from === to) return [];
  const found = await runSideGit(side, ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', from, to]);
  return found.ok ? readRaw(found.out.toString('utf8')) : undefined;
}

export function readRaw(out: string): readonly TreeDifference[] {
  const parts = out.split('\0');
  const found: TreeDifference[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = ''] = (parts[at] ?? '').replace(/^:/, '').split(' ');
    found.push({ path: parts[at + 1] ?? '', old: entry(oldMode, oldOid), new: entry(newMode, newOid) });
  }
  return found;
}

const entry = (mode: string, oid: string): TreeEntry | undefined => (mode === '000000' ? undefined : { mode, oid });

export const isSame = (a: TreeEntry | undefined, b: TreeEntry | undefined): boolean => a?.mode === b?.mode && a?.oid === b?.oid;

/** Added and deleted lines for each path; both 0 for a file that isn't text. */
export async function countLines(side: SideRepository, from: string, to: string): Promise<readonly { path: string; added: number; deleted: number }[]> {
  if (from === to) return [];
  const found = await runSideGit(side, ['diff-tree', '-r', '-z', '--no-renames', '--numstat', '--no-ext-diff', '--no-textconv', from, to]);
  if (!found.ok) return [];
  const lines = found.out.toString('utf8').split('\0').slice(0, -1);
  return lines.map((line) => {
    const [added = '', deleted = '', ...path] = line.split('\t');
    return { path: path.join('\t'), added: Number(added) || 0, deleted: Number(deleted) || 0 };
  });
}
