import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import * as z from 'zod/mini';
import type { ProjectScripts } from '../protocol/api/worktree.ts';
import type { WorktreeScripts } from '../protocol/event.ts';
import { hashOf } from './include-files.ts';
import { blobsAt, fileAt } from './worktrees.ts';

const FILE = '.signalbox.json';
/** A script is shown on a card and stored in events. */
const MOST_CHARS = 16 * 1024;
const MOST_NAMED = 200;

const script = z.optional(z.string().check(z.minLength(1), z.maxLength(MOST_CHARS)));
const ProjectFile = z.object({ scripts: z.optional(z.strictObject({ setup: script, run: script, archive: script })) });

/** The scripts in `.signalbox.json` at a commit; none if there is no such file; words if it can't be read. */
export async function repositoryScripts(repo: string, commit: string): Promise<ProjectScripts | { readonly words: string }> {
  const text = await fileAt(repo, commit, FILE);
  if (text === undefined) return {};
  try {
    const parsed = z.safeParse(ProjectFile, JSON.parse(text));
    if (parsed.success) return parsed.data.scripts ?? {};
    const [issue] = parsed.error.issues;
    return { words: `${FILE} is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}` };
  } catch {
    return { words: `${FILE} is not valid JSON.` };
  }
}

/** What a person accepts: the exact texts, and the content of every file of the commit that they name. */
export async function scriptsToTrust(
  scripts: ProjectScripts,
  source: WorktreeScripts['source'],
  repo: string,
  commit: string,
  worktree?: string,
): Promise<WorktreeScripts> {
  const named = await blobsAt(repo, commit, namedPaths(scripts));
  const files = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  const ids = await Promise.all(files.map(async ([path, id]) => [path, worktree === undefined ? id : await idOnDisk(join(worktree, path), id)]));
  const { setup, run, archive } = scripts;
  const sha256 = createHash('sha256')
    .update(JSON.stringify([setup ?? null, run ?? null, archive ?? null, ids]))
    .digest('hex');
  return { ...scripts, source, sha256, files: files.map(([path]) => path) };
}

/** The id at the commit if the file on disk still has that content, otherwise the content itself: an agent may have changed it. */
async function idOnDisk(file: string, id: string): Promise<string> {
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile()) return 'gone';
  const [, oid = ''] = id.split(' ');
  const algorithm = oid.length === 64 ? 'sha256' : 'sha1';
  const bytes = await readFile(file);
  const isSame = createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
  return isSame ? id : `disk ${await hashOf(file)}`;
}

/** Words of the scripts that could be paths inside the repository. */
function namedPaths({ setup, run, archive }: ProjectScripts): readonly string[] {
  const words = [setup, run, archive].flatMap((text) => text?.split(/[\s"'`;|&()<>{}$=,]+/) ?? []);
  const paths = words.filter((word) => word !== '' && !word.startsWith('-') && !word.startsWith('/')).map((word) => normalize(word).replace(/\/$/, ''));
  return [...new Set(paths.filter((path) => path !== '.' && !path.startsWith('..')))].slice(0, MOST_NAMED);
}
