/** Where a path leads from a folder by its words alone; links are not followed. Both may be absolute. */
export function lexical(path: string, cwd: string): string {
  const whole = path.startsWith('/') ? path : `${cwd}/${path}`;
  const kept: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

/** Whether a path is a folder or lies in it; both whole. */
export function isWithin(path: string, folder: string): boolean {
  const base = folder.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}
