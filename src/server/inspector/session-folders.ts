import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { allowedFolder, type Grounds, ruleAgainst } from '../../folders/allowed-roots.ts';
import { isInside } from '../../folders/system-folders.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Session } from '../../protocol/session.ts';
import type { SideSources } from './fold-reader.ts';

/** The real folders of a session: its own first, then those it was given besides. Everything that is shown of them lies in one of these. */
export interface SessionFolders {
  readonly roots: readonly [string, ...string[]];
  readonly grounds: Grounds;
}

/** A record may name any folder as its own: what sessions may not use is not shown either. */
export async function foldersOf({ engine }: Pick<SideSources, 'engine'>, session: Session, grounds: Grounds): Promise<SessionFolders | Refusal> {
  const own = await allowedFolder(session.cwd, grounds);
  if (typeof own !== 'string') return own.refused === 'not-allowed-folder' ? own : gone(session.cwd);
  const [created] = engine.events(session.id, { after: session.past?.lastSeq ?? 0, limit: 1 });
  const given = created?.type === 'session.created' ? (created.options.addDirs ?? []) : [];
  const others = await Promise.all(given.map((folder) => allowedFolder(folder, grounds)));
  return { roots: [own, ...others.filter((folder) => typeof folder === 'string')], grounds };
}

const gone = (folder: string): Refusal => ({
  refused: 'not-found',
  message: `The folder ${folder} is not there any more: it was deleted, renamed or not mounted.`,
});

/** The real path of something in a session's folders. Links are resolved before it is judged, so that none leads out. */
export async function placeIn({ roots, grounds }: SessionFolders, path: string): Promise<string | Refusal> {
  if (path.includes('\0')) return { refused: 'bad-request', message: 'A path holds no null character.' };
  const real = await realpath(isAbsolute(path) ? path : join(roots[0], path)).catch(() => undefined);
  if (real === undefined) return { refused: 'not-found', message: `There is no ${path} in this folder any more.` };
  if (!roots.some((root) => isInside(real, root))) return outside(path);
  const rule = ruleAgainst(real, grounds);
  return rule === undefined ? real : { refused: 'not-allowed-folder', message: rule };
}

const outside = (path: string): Refusal => ({
  refused: 'not-allowed-folder',
  message: `${path} leads out of the folders of this session, and is not followed.`,
});
