import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import type { WorktreePlan } from '../../domain/worktree/decide.ts';
import { branchOf, nameFrom } from '../../domain/worktree/name.ts';
import { pathProblem } from '../../folders/allowed-roots.ts';
import { commitOf, findBase, type WorktreeBase } from '../../git/worktrees.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import { type SessionId, WorktreeId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';

export interface PlannedWorktree {
  /** Where the session will work: the same folder of the repository, in the worktree. */
  readonly cwd: string;
  readonly plan: WorktreePlan;
}

/** Decides everything about a new worktree before anything is created. */
export async function planWorktree(context: EngineContext, command: CommandOf<'session.create'>): Promise<PlannedWorktree | Refusal | undefined> {
  const { worktree: wish, sessionId, cwd } = command;
  if (wish === undefined) return undefined;
  if (command.goOn !== undefined || command.origin !== undefined)
    return { refused: 'bad-request', message: 'A worktree is for a new session: an agent continues a conversation in the folder it started in.' };
  const base = await findBase(cwd, wish.base);
  if ('words' in base) return { refused: 'conflict', message: base.words };
  const name = wish.name ?? [nameFrom(command.title ?? command.prompt ?? ''), hash(sessionId).slice(0, 4)].filter((part) => part !== '').join('-');
  const folder = await folderFor(context, base.repo);
  if (typeof folder !== 'string') return folder;
  const path = join(folder, name);
  const taken = await takenName(base, path, branchOf(name));
  if (taken !== undefined) return { refused: 'conflict', message: taken };
  const plan = {
    worktreeId: worktreeIdOf(sessionId),
    repo: base.repo,
    path,
    branch: branchOf(name),
    base: base.base,
    baseCommit: base.baseCommit,
    devPort: await freePort(context),
  };
  return { cwd: join(path, base.prefix), plan };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const worktreeIdOf = (sessionId: SessionId): WorktreeId => WorktreeId.parse(`w${hash(sessionId).slice(0, 12)}`);

/** `<worktrees folder>/<repository>-<hash>`. It must be a folder in which sessions may run. */
export async function folderFor({ deps }: EngineContext, repo: string): Promise<string | Refusal> {
  const { worktreesFolder } = deps.settings;
  const problem = 'Set SIGNALBOX_WORKTREES to a folder below one of the allowed ones.';
  try {
    await mkdir(worktreesFolder, { recursive: true, mode: 0o700 });
    const folder = join(await realpath(worktreesFolder), `${basename(repo)}-${hash(repo).slice(0, 4)}`);
    const refused = pathProblem(folder, deps.settings);
    return refused === undefined ? folder : { refused: 'not-allowed-folder', message: `${refused} ${problem}` };
  } catch (error) {
    return {
      refused: 'conflict',
      message: `The folder for worktrees, ${worktreesFolder}, can't be used: ${error instanceof Error ? error.message : error}. ${problem}`,
    };
  }
}

async function takenName({ repo }: WorktreeBase, path: string, branch: string): Promise<string | undefined> {
  if (existsSync(path)) return `There is already a folder ${path}. Choose another name.`;
  if ((await commitOf({ cwd: repo }, branch)) !== undefined) return `There is already a branch ${branch}. Choose another name.`;
  return undefined;
}

/** A port that nobody listens on now and that no other worktree has. */
async function freePort({ sessions }: EngineContext): Promise<number> {
  const taken = new Set([...sessions.values()].map(({ state }) => state.worktree?.devPort));
  for (;;) {
    const port = await portOfSystem();
    if (!taken.has(port)) return port;
  }
}

const portOfSystem = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
