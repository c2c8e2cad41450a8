import { basename, join, relative } from 'node:path';
import type { EditStep, FileHistory, Step, TurnSpan } from '../../domain/blame/walk.ts';
import { readPatch } from '../../domain/changes/patch.ts';
import { absolutePath } from '../../domain/changes/path.ts';
import type { Edit } from '../../domain/changes/review.ts';
import type { FileTurn } from '../../engine/checkpoints/file-history.ts';
import { isInside } from '../../folders/system-folders.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';
import type { EditsReader } from '../inspector/changes-reader.ts';
import { anySession } from '../shared/transcripts.ts';

/** What an origin's number stands for. */
export type Origin = { readonly session: Session; readonly edit: Edit } | { readonly sessionId: SessionId; readonly turn: FileTurn };

export interface Gathered {
  readonly own: FileHistory;
  readonly elsewhere: readonly FileHistory[];
  readonly origins: readonly Origin[];
}

type From = Pick<Services, 'engine' | 'sessionIndex'>;

/** The index follows within seconds; until then these sessions are looked at without it. */
const INDEX_LAG_MS = 60_000;
const PAGES = 5;

/** Everything known about a file: `names` are its paths here, `others` its paths in other folders of the repository. Private sessions count like all others. */
export async function gather(from: From, edits: EditsReader, names: readonly string[], others: readonly string[], now: number): Promise<Gathered> {
  const origins: Origin[] = [];
  const own = await historyOf(from, edits, names, origins, now);
  const elsewhere: FileHistory[] = [];
  for (const path of others) elsewhere.push(await historyOf(from, edits, [path], origins, now));
  return { own, elsewhere: elsewhere.filter(({ steps }) => steps.length > 0), origins };
}

async function historyOf(from: From, reader: EditsReader, names: readonly string[], origins: Origin[], now: number): Promise<FileHistory> {
  const [path = '/'] = names;
  const folders = [...new Set(from.engine.sessions().map(({ cwd }) => cwd))].filter((folder) => isInside(path, folder));
  const kept = await Promise.all(
    folders.map((folder) =>
      from.engine.fileHistory(
        folder,
        names.map((name) => relative(folder, name)),
      ),
    ),
  );
  const known = kept.flatMap(({ versions }) => versions.map(({ at, text }): Step => ({ kind: 'known', at, text })));
  const steps = [...known, ...(await editsOf(from, reader, names, origins, now))].sort((a, b) => a.at - b.at);
  const turns = kept
    .flatMap((one) => one.turns)
    .map((turn): TurnSpan => ({ session: turn.sessionId, from: turn.from, to: turn.to, origin: origins.push({ sessionId: turn.sessionId, turn }) - 1 }));
  return { steps, turns };
}

async function editsOf(from: From, reader: EditsReader, names: readonly string[], origins: Origin[], now: number): Promise<readonly EditStep[]> {
  const found: EditStep[] = [];
  for (const id of await touching(from, names, now)) {
    const session = await anySession(from, id);
    if (session === undefined) continue;
    for (const name of names) {
      for (const edit of await reader.read(from, session, name)) {
        const hunks = readPatch(edit.change.patch);
        if (hunks !== undefined && hunks.length > 0) found.push({ kind: 'edit', at: Date.parse(edit.at), origin: origins.push({ session, edit }) - 1, hunks });
      }
    }
  }
  return found;
}

/** Sessions whose calls named one of these paths. */
async function touching({ engine, sessionIndex }: From, names: readonly string[], now: number): Promise<ReadonlySet<SessionId>> {
  const ids = new Set<SessionId>();
  for (const name of new Set(names.map((path) => basename(path)))) {
    let cursor: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const list = await sessionIndex.search({ path: name, limit: 200, ...(cursor !== undefined && { cursor }) }, { sessions: [], conversations: [] });
      for (const hit of list.hits) {
        const isRelative = !(hit.path ?? '/').startsWith('/');
        if (isRelative || names.includes(absolutePath('/', hit.path ?? ''))) ids.add(hit.sessionId);
      }
      cursor = list.nextCursor;
      if (cursor === undefined) break;
    }
  }
  const [path = '/'] = names;
  for (const session of engine.sessions()) if (now - Date.parse(session.updatedAt) < INDEX_LAG_MS && isInside(path, session.cwd)) ids.add(session.id);
  return ids;
}

/** The same file in other worktrees of its repository, also in those that were removed. */
export function pathsElsewhere(from: From, top: string, worktrees: readonly string[], names: readonly string[]): readonly string[] {
  const ours = from.engine.sessions().flatMap(({ worktree }) => (worktree !== undefined && [...worktrees, top].includes(worktree.repo) ? [worktree.path] : []));
  const folders = new Set([...worktrees, ...ours].filter((folder) => folder !== top));
  return [...folders].flatMap((folder) => names.map((name) => join(folder, relative(top, name))));
}
