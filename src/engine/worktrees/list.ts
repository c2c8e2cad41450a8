import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectOf } from '../../domain/policy/workspace.ts';
import { runScripts } from '../../domain/script/scripts.ts';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { planIncludes } from '../../git/include-files.ts';
import { repositoryScripts, scriptsToTrust } from '../../git/project-scripts.ts';
import { branchNames, commitsAhead, findBase, type ListedWorktree, listWorktrees, readWorktree } from '../../git/worktrees.ts';
import type { Worktree, WorktreePreview } from '../../protocol/api/worktree.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { WorktreeOfSession } from '../../protocol/session.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { folderFor } from './plan.ts';

/** Disk use is measured again after this long. */
const FRESH_MS = 10 * 60_000;
/** Reading thousands of files in one go would keep the event loop from others. */
const ENTRIES_AT_ONCE = 500;
const NAMES_SHOWN = 50;

/** Every worktree of every repository in which a session has or had one: ours with their sessions, others as git lists them. */
export class WorktreeLister {
  private readonly disk = new Map<string, { readonly bytes: number; readonly at: string }>();
  private readonly measuring = new Set<string>();

  constructor(private readonly context: EngineContext) {}

  async list(): Promise<readonly Worktree[]> {
    const ours = [...this.context.sessions.values()].filter(({ state }) => state.worktree !== undefined && !state.deleted);
    const repos = [...new Set(ours.flatMap(({ state }) => state.worktree?.repo ?? []))];
    const lists = await Promise.all(
      repos.map(async (repo) =>
        this.ofRepository(
          repo,
          ours.filter(({ state }) => state.worktree?.repo === repo),
        ),
      ),
    );
    return lists.flat();
  }

  private async ofRepository(repo: string, ours: readonly SessionActor[]): Promise<readonly Worktree[]> {
    const listed = await listWorktrees(repo);
    const entries = 'words' in listed ? [] : listed;
    const own = await Promise.all(ours.map((session) => this.ownRow(session, entries)));
    const ownPaths = new Set(ours.map(({ state }) => state.worktree?.path));
    const others = entries.filter(({ path }) => !ownPaths.has(path)).map((entry) => otherRow(repo, entry));
    return [...own.flat(), ...others];
  }

  private async ownRow(session: SessionActor, entries: readonly ListedWorktree[]): Promise<readonly Worktree[]> {
    const { worktree } = session.state;
    const summary = session.summary();
    if (worktree === undefined || summary === undefined) return [];
    const entry = entries.find(({ path }) => path === worktree.path);
    const facts = entry === undefined || !existsSync(worktree.path) ? undefined : await readWorktree(worktree.path, false);
    const ahead = await commitsAhead(worktree.repo, worktree.base, worktree.branch);
    const disk = facts === undefined ? undefined : this.diskOf(worktree.path);
    const { problem, devPort, prepared, removal } = worktree;
    const runScript = runScripts(session.state)[0]?.sessionId;
    const { setup, run, archive } = prepared?.scripts ?? {};
    return [
      {
        id: worktree.worktreeId,
        repo: worktree.repo,
        path: worktree.path,
        branch: worktree.branch,
        base: worktree.base,
        state: shownState(worktree, summary.waiting > 0),
        session: { id: summary.id, title: summary.title, status: summary.status, agent: summary.agent },
        ...(entry?.head !== undefined && { head: entry.head }),
        ...(facts !== undefined && !('words' in facts) && { dirty: facts.uncommitted.length + facts.untracked.length }),
        ...(ahead !== undefined && { ahead }),
        ...(entry?.locked !== undefined && { locked: entry.locked }),
        ...(disk !== undefined && { disk }),
        ...(problem !== undefined && { problem }),
        ...(devPort !== undefined && { devPort }),
        ...(runScript !== undefined && { runScript }),
        ...(prepared?.scripts !== undefined && {
          scripts: { ...(setup !== undefined && { setup }), ...(run !== undefined && { run }), ...(archive !== undefined && { archive }) },
        }),
        ...(worktree.phase === 'removed' && removal?.savedTo !== undefined && { archive: removal.savedTo }),
      },
    ];
  }

  /** The last measurement; a new one starts if it is old. */
  private diskOf(path: string): { readonly bytes: number; readonly at: string } | undefined {
    const known = this.disk.get(path);
    const { deps } = this.context;
    const isOld = known === undefined || deps.now().getTime() - Date.parse(known.at) > FRESH_MS;
    if (isOld && !this.measuring.has(path)) {
      this.measuring.add(path);
      const measure = async (): Promise<void> => {
        try {
          const bytes = await bytesIn(path);
          this.disk.set(path, { bytes, at: deps.now().toISOString() });
        } finally {
          this.measuring.delete(path);
        }
      };
      deps.problems.during('measure worktrees', measure);
    }
    return known;
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
      const some = entries.slice(at, at + ENTRIES_AT_ONCE);
      for (const entry of some) if (entry.isDirectory()) folders.push(join(next, entry.name));
      const files = some.filter((entry) => !entry.isDirectory());
      const sizes = await Promise.all(
        files.map((entry) =>
          lstat(join(next ?? '', entry.name)).then(
            ({ blocks }) => blocks * 512,
            () => 0,
          ),
        ),
      );
      bytes += sizes.reduce((sum, size) => sum + size, 0);
    }
  }
  return bytes;
}

const otherRow = (repo: string, { path, head, branch, locked, main }: ListedWorktree): Worktree => ({
  repo,
  path,
  state: 'other',
  ...(head !== undefined && { head }),
  ...(branch !== undefined && { branch }),
  ...(locked !== undefined && { locked }),
  ...(main && { main }),
});

export function shownState({ phase }: Pick<SessionWorktree, 'phase'>, isWaiting: boolean): WorktreeOfSession['state'] {
  if (phase === 'adding' || phase === 'prepared') return isWaiting ? 'waiting' : 'making';
  return phase;
}

/** What a new worktree of a folder would be; nothing is created. */
export async function previewWorktree(context: EngineContext, cwd: string, wished?: string): Promise<WorktreePreview | Refusal> {
  const folder = await allowedFolder(cwd, context.deps.settings);
  if (typeof folder !== 'string') return folder;
  const base = await findBase(folder, wished);
  if ('words' in base) return { refused: 'conflict', message: base.words };
  const path = await folderFor(context, base.repo);
  if (typeof path !== 'string') return path;
  const own = projectOf(context.workspace.state, base.repo);
  const scripts = own.scripts ?? (await repositoryScripts(base.repo, base.baseCommit));
  const known = 'words' in scripts ? {} : scripts;
  const source = own.scripts === undefined ? 'repository' : 'owner';
  const { sha256 } = await scriptsToTrust(known, source, base.repo, base.baseCommit);
  const copies = await planIncludes(base.repo);
  const others = [...context.sessions.values()].filter(({ state }) => state.run.phase !== 'none' && state.born?.cwd === folder);
  return {
    repo: base.repo,
    base: base.base,
    branches: [...(await branchNames(base.repo))],
    path,
    copies: {
      files: copies.files.length,
      bytes: copies.bytes,
      names: copies.files.slice(0, NAMES_SHOWN).map(({ path: name }) => name),
      skipped: [...copies.skipped],
    },
    scripts: known,
    ...(Object.keys(known).length > 0 && { source }),
    trusted: source === 'owner' || own.trusted.includes(sha256),
    others: others.flatMap((session) => {
      const summary = session.summary();
      return summary === undefined ? [] : [{ id: summary.id, title: summary.title }];
    }),
  };
}
