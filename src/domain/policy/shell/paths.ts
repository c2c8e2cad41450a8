/** Resolves a path against a folder without looking at the file system, so links are not followed. */
export function lexical(path: string, cwd: string): string {
  const absolute = path.startsWith('/') ? path : `${cwd}/${path}`;
  const kept: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

/** Whether a path is this folder or inside it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const base = folder.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}
