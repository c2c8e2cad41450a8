import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { repositoryOf, topOf } from '../repository.ts';
import { type GitLocation, NO_REPOSITORY, runGit } from '../run-git.ts';
import { removeLeftLock } from './left-lock.ts';

/** The bare repository beside a session's folder that holds its checkpoints. The person's own repository is only read. */
export interface SideRepository {
  readonly path: string;
  /** The session's real folder. */
  readonly folder: string;
  /** The work tree that git sees: the top of the person's repository, so that all its ignore files count, or the folder itself. */
  readonly top: string;
  /** The folder below the top: empty, or ending with a slash. */
  readonly prefix: string;
  /** Objects of the person's repository, which the checkpoints borrow. */
  readonly objects?: string | undefined;
  /** The person's repository, for reading. */
  readonly user?: GitLocation | undefined;
  /** Our own data folder, if it is inside the session's folder; never part of a checkpoint. */
  readonly dataFolder: string;
}

/** Blobs are the bytes on disk: no line ending is changed, and no filter of the person's runs. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/** Without a repository nobody says what is made by tools and can be made again. */
const OWN_EXCLUDES = 'node_modules/\n.venv/\n__pycache__/\n.cache/\n';

export const sidePath = (dataFolder: string, folder: string): string =>
  join(dataFolder, 'checkpoints', `${createHash('sha256').update(folder).digest('hex')}.git`);

/** Opens the side repository of a folder, and makes it if needed; or says why it can't. */
export async function openSide(dataFolder: string, folder: string, known: KnownRepositories): Promise<SideRepository | { readonly words: string }> {
  const path = sidePath(dataFolder, folder);
  const user = await rememberedRepository(folder, existsSync(join(path, 'index')) ? known : new Map());
  if (user !== undefined && 'words' in user) return user;
  const below = user === undefined ? '' : relative(user.location.workTree, folder).split(sep).join('/');
  const side: SideRepository = {
    path,
    folder,
    top: user?.location.workTree ?? folder,
    prefix: below === '' ? '' : `${below}/`,
    objects: user?.objects,
    user: user?.location,
    dataFolder,
  };
  const problem = existsSync(join(path, 'HEAD')) ? undefined : await create(side, user?.format ?? 'sha1');
  if (problem !== undefined) return { words: problem };
  await removeLeftLock(path);
  await describeWorkTree(side, user?.location.gitDir, user?.common);
  return side;
}

/** Repositories of folders, with what would show that one was replaced: asking git takes longer than the checkpoint itself. */
export type KnownRepositories = Map<string, { readonly stamp: string; readonly user: UserRepository | undefined }>;

async function rememberedRepository(folder: string, known: KnownRepositories): Promise<UserRepository | { readonly words: string } | undefined> {
  const stamp = await stampOf(folder);
  const before = known.get(folder);
  if (before?.stamp === stamp) return before.user;
  const user = await userRepository(folder);
  if (user === undefined || !('words' in user)) known.set(folder, { stamp, user });
  return user;
}

async function stampOf(folder: string): Promise<string> {
  const top = await topOf(folder);
  if (top === undefined) return 'none';
  const [git, config] = await Promise.all([lstat(join(top, '.git')).catch(() => undefined), lstat(join(top, '.git', 'config')).catch(() => undefined)]);
  return [top, git?.ino, git?.isFile() ? git.mtimeMs : 0, config?.mtimeMs].join(' ');
}

interface UserRepository {
  readonly location: GitLocation;
  readonly objects: string;
  readonly common: string;
  readonly format: string;
}

async function userRepository(folder: string): Promise<UserRepository | { readonly words: string } | undefined> {
  const location = await repositoryOf(folder);
  if ('words' in location) return location.words === NO_REPOSITORY ? undefined : location;
  const found = await runGit(location, ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-common-dir', '--show-object-format'], 16_384);
  if (!found.ok) return found;
  const [objects = '', common = '', format = 'sha1'] = found.out.toString('utf8').split('\n');
  // A folder that the repository ignores as a whole would leave every checkpoint empty: it is treated as a folder of its own.
  const ignored = folder === location.workTree ? { ok: false } : await runGit(location, ['check-ignore', '-q', '--', folder], 4096);
  return ignored.ok ? undefined : { location, objects, common, format };
}

async function create(side: SideRepository, format: string): Promise<string | undefined> {
  await mkdir(join(side.path, '..'), { recursive: true, mode: 0o700 });
  // A repository that was only half made when the server died is never opened.
  const half = `${side.path}.new`;
  await rm(half, { recursive: true, force: true });
  const made = await runGit({ cwd: side.folder }, ['init', '-q', '--bare', '--template=', `--object-format=${format}`, '--', half], 4096);
  if (!made.ok) return made.words;
  await rename(half, side.path);
  return undefined;
}

/** Says which files the person ignores. When the folder became part of another repository, the index starts again: its paths have changed. */
async function describeWorkTree(side: SideRepository, gitDir: string | undefined, common: string | undefined): Promise<void> {
  const info = join(side.path, 'info');
  await mkdir(info, { recursive: true });
  const place = JSON.stringify({ folder: side.folder, top: side.top, gitDir: gitDir ?? null });
  const before = await readFile(join(side.path, 'place.json'), 'utf8').catch(() => '');
  if (before !== place) {
    await rm(join(side.path, 'index'), { force: true });
    await writeFile(join(info, 'attributes'), ATTRIBUTES);
    await writeFile(join(side.path, 'place.json'), place, { mode: 0o600 });
  }
  const excludes = join(info, 'exclude');
  if (common === undefined) await writeFile(excludes, OWN_EXCLUDES);
  else await copyFile(join(common, 'info', 'exclude'), excludes).catch(() => writeFile(excludes, ''));
}
