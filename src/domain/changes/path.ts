/** A tool's path made absolute and normalized, so that one file has one name. */
export function absolutePath(cwd: string, path: string): string {
  const absolute = path.startsWith('/') ? path : `${cwd}/${path}`;
  const segments: string[] = [];
  for (const segment of absolute.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Relative to the session's folder, if it is inside it. */
export const shownPath = (cwd: string, path: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
