/** A path as a tool wrote it, made whole: the same file has one name, whatever a tool calls it. */
export function absolutePath(cwd: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${cwd}/${path}`;
  const segments: string[] = [];
  for (const segment of whole.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** As people say it: from the session's folder on, where it lies in it. */
export const shownPath = (cwd: string, path: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
