import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type AllowedRoots, allowedFolder, pathProblem } from '../../folders/allowed-roots.ts';
import { isInside } from '../../folders/system-folders.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Session } from '../../protocol/session.ts';
import type { InspectorSources } from './fold-reader.ts';

/** The real folders of a session: its own first, then its additional folders. Only what is inside one of them is shown. */
export interface SessionFolders {
  readonly roots: readonly [string, ...string[]];
  readonly allowedRoots: AllowedRoots;
}

/** A record can name any folder as its own, so folders that sessions can't use aren't shown either. */
export async function foldersOf({ engine }: Pick<InspectorSources, 'engine'>, session: Session, allowedRoots: AllowedRoots): Promise<SessionFolders | Refusal> {
  const own = await allowedFolder(session.cwd, allowedRoots);
  if (typeof own !== 'string') return own.refused === 'not-allowed-folder' ? own : gone(session.cwd);
  const [created] = engine.events(session.id, { after: session.past?.lastSeq ?? 0, limit: 1 });
  const given = created?.type === 'session.created' ? (created.options.addDirs ?? []) : [];
  const others = await Promise.all(given.map((folder) => allowedFolder(folder, allowedRoots)));
  return { roots: [own, ...others.filter((folder) => typeof folder === 'string')], allowedRoots };
}

const gone = (folder: string): Refusal => ({
  refused: 'not-found',
  message: `The folder ${folder} no longer exists: it was deleted, renamed or unmounted.`,
});

/** The real path of something in a session's folders. Links are resolved before the check, so that none leads outside. */
export async function realPathIn({ roots, allowedRoots }: SessionFolders, path: string): Promise<string | Refusal> {
  if (path.includes('\0')) return { refused: 'bad-request', message: 'A path can’t contain a null character.' };
  const real = await realpath(isAbsolute(path) ? path : join(roots[0], path)).catch(() => undefined);
  if (real === undefined) return { refused: 'not-found', message: `${path} no longer exists in this folder.` };
  if (!roots.some((root) => isInside(real, root))) return outside(path);
  const rule = pathProblem(real, allowedRoots);
  return rule === undefined ? real : { refused: 'not-allowed-folder', message: rule };
}

const outside = (path: string): Refusal => ({
  refused: 'not-allowed-folder',
  message: `${path} is outside this session’s folders and can’t be shown.`,
});
