import { existsSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** Whether a folder, or its existing part, is below a root after all links are resolved. The root itself can be a link. */
export function isBelow(root: string, folder: string): boolean {
  if (folder !== root && !folder.startsWith(root + sep)) return false;
  const [realRoot, real] = [realpathOf(root), realpathOf(folder)];
  return real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

function realpathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : realpathOf(above) + path.slice(above === sep ? 0 : above.length);
}
