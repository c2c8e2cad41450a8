import { join, relative } from 'node:path';
import { type AllowedRoots, pathProblem } from '../folders/allowed-roots.ts';
import type { GitLocation } from './run-git.ts';

/** Git reports paths from the top of the repository; the session's folder can be below that. Undefined for a file outside of it. */
export function pathInside<T extends { readonly path: string; readonly oldPath?: string | undefined }>(
  place: Pick<GitLocation, 'cwd' | 'workTree'>,
  { oldPath, ...file }: T,
  allowedRoots: AllowedRoots,
): (Omit<T, 'oldPath'> & { oldPath?: string }) | undefined {
  const below = (path: string): string => relative(place.cwd, `${place.workTree}/${path}`);
  const isShown = (path: string): boolean => path !== '..' && !path.startsWith('../') && pathProblem(join(place.cwd, path), allowedRoots) === undefined;
  const [path, old] = [below(file.path), oldPath === undefined ? undefined : below(oldPath)];
  return isShown(path) ? { ...file, path, ...(old !== undefined && isShown(old) && { oldPath: old }) } : undefined;
}
