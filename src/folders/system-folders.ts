import { sep } from 'node:path';

/** Folders of the operating system: no session runs in them, whatever the allowed folders are. */
const SYSTEM_FOLDERS = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr', '/etc', '/boot', '/dev', '/proc', '/sys', '/run', '/nix', '/snap', '/lost+found'],
  ...['/System', '/Library', '/Applications', '/private/etc', '/mnt/c/Windows', '/mnt/c/Program Files', '/mnt/c/Program Files (x86)'],
];

/** Services store their data here. An allowed root inside is fine. */
const VARIABLE_DATA = ['/var', '/private/var'];
const FREE_IN_VAR = ['/var/tmp', '/var/home', '/var/folders', '/private/var/tmp', '/private/var/folders'];

/** The system folder that contains a real path, if any. `roots` are the folders that the operator allowed. */
export function systemFolderOf(path: string, roots: readonly string[]): string | undefined {
  if (path === sep) return sep;
  const system = SYSTEM_FOLDERS.find((folder) => isInside(path, folder));
  if (system !== undefined) return system;
  const variable = VARIABLE_DATA.find((folder) => isInside(path, folder));
  const isFree = FREE_IN_VAR.some((folder) => isInside(path, folder)) || roots.some((root) => isBelowVariable(root) && isInside(path, root));
  return isFree ? undefined : variable;
}

const isBelowVariable = (root: string): boolean => VARIABLE_DATA.some((folder) => root !== folder && isInside(root, folder));

export const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
