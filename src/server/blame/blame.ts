import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type LineOrigin, linesOf, walk } from '../../domain/blame/walk.ts';
import { isInside } from '../../folders/system-folders.ts';
import { commitOfLine, type LineCommit, oldNames, worktreeFolders } from '../../git/history/line-authors.ts';
import { repositoryOf } from '../../git/repository.ts';
import type { GitLocation } from '../../git/run-git.ts';
import type { Blame, BlameQuery } from '../../protocol/api/blame.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { Services } from '../http/route.ts';
import { createEditsReader } from '../inspector/changes-reader.ts';
import { anySession } from '../shared/transcripts.ts';
import { gather, type Origin, pathsElsewhere } from './gather.ts';
import { sourceOf } from './line-source.ts';
import { readableFile } from './readable-file.ts';

type All = Pick<Services, 'engine' | 'sessionIndex'>;

export interface BlameReader {
  /** Who wrote a line, as far as this caller may know. */
  read(caller: Services, query: BlameQuery): Promise<Blame | Refusal>;
}

/** Everything known about one file, as long as nothing happened in it. */
interface KnownFile {
  readonly key: string;
  readonly at: number;
  readonly place: GitLocation | undefined;
  readonly lines: readonly LineOrigin[];
  readonly origins: readonly Origin[];
}

const FILES = 50;
/** Records of other programs and git's own history are looked at again after this time. */
const FRESH_MS = 30_000;

/** `all` sees private sessions too: their lines must not be taken for somebody else's. They are never named. */
export function createBlameReader(all: All, now: () => number): BlameReader {
  const edits = createEditsReader();
  const files = new Map<string, KnownFile>();
  const fileOf = async (path: string, text: string): Promise<KnownFile> => {
    const key = keyOf(all, path, text);
    const known = files.get(path);
    if (known?.key === key && now() - known.at < FRESH_MS) return known;
    const found = await repositoryOf(dirname(path));
    const place = 'words' in found ? undefined : found;
    const names = [path, ...(place === undefined ? [] : await oldNames(place, path))];
    const others = place === undefined ? [] : pathsElsewhere(all, place.workTree, await worktreeFolders(place), names);
    const { own, elsewhere, origins } = await gather(all, edits, names, others, now());
    const file = { key, at: now(), place, lines: walk(linesOf(text), own, elsewhere, now()), origins };
    files.delete(path);
    files.set(path, file);
    for (const oldest of files.keys()) if (files.size > FILES) files.delete(oldest);
    return file;
  };
  return {
    read: async (caller, query) => {
      const { path, line } = query;
      const file = await readableFile(caller, query);
      if (isRefusal(file)) return file;
      const text = linesOf(file.text)[line - 1];
      if (text === undefined) return { refused: 'out-of-range', message: `${path} has ${linesOf(file.text).length} lines, not ${line}.` };
      const { place, lines, origins } = await fileOf(file.path, file.text);
      const origin = lines[line - 1] ?? { by: 'base' };
      const base = { path: file.path, line, text: text.replace(/\r$/, '') };
      if (!('origin' in origin)) return { ...base, certainty: 'unknown', ...(await gitsAnswer(place, file.path, line)) };
      const commit = origin.foundSince === undefined ? undefined : await commitAt(place, file.path, line);
      const isOlder = origin.foundSince !== undefined && commit !== undefined && Date.parse(commit.committedAt) + 1000 < origin.foundSince;
      const source = isOlder ? undefined : origins[origin.origin];
      const seen = source === undefined ? undefined : await visible(caller, source);
      if (seen === undefined) return { ...base, certainty: 'unknown', ...(isOlder && commit !== undefined && { commit }) };
      return { ...base, certainty: origin.by === 'edit' ? 'exact' : 'turn', ...(await sourceOf(caller, seen)) };
    },
  };
}

/** Changes with the file, and with every event of a session that may have to do with it. */
function keyOf({ engine }: All, path: string, text: string): string {
  const sessions = engine.sessions().filter(({ cwd, worktree }) => isInside(path, cwd) || worktree !== undefined);
  const seqs = sessions.map(({ id, lastSeq }) => `${id} ${lastSeq}`).join();
  return createHash('sha256').update(text).update(seqs).digest('hex');
}

const commitAt = async (place: GitLocation | undefined, path: string, line: number): Promise<LineCommit | undefined> =>
  place === undefined ? undefined : commitOfLine(place, path, line);

async function gitsAnswer(place: GitLocation | undefined, path: string, line: number): Promise<Pick<Blame, 'commit'>> {
  const commit = await commitAt(place, path, line);
  return commit === undefined ? {} : { commit };
}

/** A session that the caller can't see doesn't exist for them. */
async function visible(caller: Services, origin: Origin): Promise<Origin | undefined> {
  const session = await anySession(caller, 'session' in origin ? origin.session.id : origin.sessionId);
  return session === undefined ? undefined : origin;
}
