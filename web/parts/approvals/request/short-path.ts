/** A path inside the session's folder as people say it; any other in full. */
export function shortPath(path: string, cwd: string | undefined): string {
  if (cwd === undefined || !path.startsWith(`${cwd}/`)) return path;
  return path.slice(cwd.length + 1);
}
