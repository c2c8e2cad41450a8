/** A path relative to the session's folder; any other path in full. */
export function shortPath(path: string, cwd: string | undefined): string {
  if (cwd === undefined || !path.startsWith(`${cwd}/`)) return path;
  return path.slice(cwd.length + 1);
}
