import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EngineProcess, startEngine } from '../../../test/support/engine/engine-process.ts';
import { createRepository, openRepository, type TestRepository } from '../../../test/support/git-repository.ts';
import { endProcessesOf, processesOf } from '../../../test/support/processes.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { WAIT_LIMIT_MS } from '../../../test/support/wait-limit.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

type Question = Parameters<EngineProcess['ask']>[0];
type Ask = (put: (question: Question) => unknown) => unknown;

const ID = 's1' as SessionId;

/** One server after the other on the same data, each killed at a moment that the seed decides, sometimes together with the git that is running. */
class Trial {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-worktree-kill-')));
  readonly home = join(this.folder, 'home');
  readonly repo: TestRepository;
  private engine: EngineProcess | undefined;
  kills = 0;

  constructor(private readonly random: () => number) {
    mkdirSync(this.home);
    this.repo = createRepository(join(this.folder, 'project'), { 'a.txt': 'a\n', '.gitignore': '.env\nlocal/\n', '.worktreeinclude': '.env\n' });
    for (let at = 0; at < 200; at += 1) this.repo.write(`files/${at}.txt`, `${at}\n`.repeat(50));
    this.repo.commit('files');
    this.repo.write('.env', 'KEY=1\n');
  }

  async server(): Promise<EngineProcess> {
    this.engine ??= await startEngine(join(this.folder, 'data'), this.home, this.folder, { DEMO_AGENT_PACE_MS: '0' });
    return this.engine;
  }

  async session(): Promise<Session | null> {
    return (await this.server()).ask<Session | null>({ session: ID });
  }

  /** Asks, kills at some moment within `ms`, and asks again until it is done. */
  async survive(step: string, ms: number, ask: Ask, isDone: (session: Session | null) => boolean): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      const engine = await this.server();
      await ask((question) => engine.say(question));
      await pause(this.random() * ms);
      await this.kill();
      if (isDone(await this.session())) break;
    }
    let answer: unknown;
    let looks = 0;
    await waitFor(
      () => `${step}, looked at ${looks} times; the last answer was ${JSON.stringify(answer)}`,
      async () => {
        const session = await this.session();
        looks += 1;
        if (isDone(session)) return true;
        // An answer is waited for: nobody tidies up while the server still acts.
        if (session === null || !['making', 'removing'].includes(session.worktree?.state ?? ''))
          await ask(async (question) => {
            answer = await (await this.server()).ask(question);
          });
        return undefined;
      },
      // One answer of the server can take a minute on a machine with far more to do than it can.
      5 * WAIT_LIMIT_MS,
    ).catch(async (error: Error) => {
      const events = await (await this.server()).ask<readonly { readonly type: string }[]>({ events: ID });
      throw new Error(`${error.message}; ${events.length} events, the last: ${JSON.stringify(events.slice(-12))}`);
    });
  }

  async kill(): Promise<void> {
    this.kills += 1;
    const gitFirst = this.random() < 0.5;
    if (gitFirst) this.killGit();
    await this.engine?.kill9();
    this.engine = undefined;
    // A child that the server had just forked is not git yet, and becomes it a moment later.
    await waitFor('the server to be gone', () => processesOf(this.home).every((pid) => !argvOf(pid).includes(join(this.folder, 'data'))));
    if (!gitFirst && this.random() < 0.3) this.killGit();
  }

  /** Resolves when nobody changes files: a detached git goes on after its server was killed. */
  async noGit(): Promise<void> {
    await waitFor('no git runs', () => (this.gits().length === 0 ? true : undefined));
  }

  private gits(): readonly number[] {
    return processesOf(this.home).filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'git';
      } catch {
        return false;
      }
    });
  }

  private killGit(): void {
    for (const pid of this.gits()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
  }

  async close(): Promise<void> {
    await this.engine?.kill9();
    await endProcessesOf(this.home);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const FIRST = Number(process.env.WORKTREES_FIRST_SEED ?? 1);

/** Several servers are started, killed and waited for, one after the other. */
const LIMIT_MS = proofCount(1) * 5 * WAIT_LIMIT_MS;

for (let seed = FIRST; seed < FIRST + proofCount(1); seed += 1) {
  test(
    `[R320] killing server and git anywhere in create, setup, merge, removal and restore: one worktree, one setup, one merge, no lost byte (seed ${seed})`,
    async () => {
      const trial = new Trial(seeded(seed));
      onTestFinished(() => trial.close());
      const count = join(trial.folder, 'setups');
      const scripts = { setup: `echo run >> ${count}; sleep 0.1`, archive: 'sleep 0.05' };
      await (await trial.server()).ask({ workspace: { type: 'scripts.set', commandId: 'w1' as CommandId, repo: trial.repo.path, scripts } });

      const create = {
        type: 'session.create',
        commandId: 'create:s1' as CommandId,
        sessionId: ID,
        agent: 'demo' as AgentId,
        cwd: trial.repo.path,
        options: {},
        worktree: { name: 'one' },
      } as const;
      let known: Session | null = null;
      await trial.survive(
        'making it',
        700,
        (put) => put(known === null ? { submit: create } : { act: { session: ID, what: { type: 'setup' } } }),
        (session) => {
          known = session;
          return session?.worktree?.state === 'made';
        },
      );
      const path = (await trial.session())?.worktree?.path ?? '';
      expect(readFileSync(count, 'utf8')).toBe('run\n');
      expect([worktreesOf(trial.repo), readdirSync(join(trial.repo.path, '.git/worktrees'))]).toEqual([[trial.repo.path, path], ['one']]);
      expect(trial.repo.git('for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main\nrefs/heads/signalbox/one');
      expect([openRepository(path).git('status', '--porcelain'), readFileSync(join(path, '.env'), 'utf8')]).toEqual(['', 'KEY=1\n']);

      // Stop the agent, work, and merge.
      await (await trial.server()).ask({ submit: { type: 'session.stop', commandId: 'stop' as CommandId, sessionId: ID } });
      const tree = openRepository(path);
      for (let at = 0; at < 100; at += 1) tree.write(`new/${at}.txt`, `${at}\n`);
      const tip = tree.commit('work');
      trial.repo.write('b.txt', 'other work\n');
      trial.repo.commit('other work');
      const isMerged = () => trial.repo.git('branch', '--contains', tip).includes('main');
      const merge: Ask = async (put) => {
        await trial.noGit();
        tidyAsPerson(trial.repo, isMerged());
        await put({ act: { session: ID, what: { type: 'merge', into: 'main', commandId: 'merge' } } });
      };
      await trial.survive('merging it', 250, merge, isMerged);
      await trial.noGit();
      tidyAsPerson(trial.repo, true);
      expect(trial.repo.git('log', '--merges', '--format=%s', 'main').split('\n')).toEqual(["Merge branch 'signalbox/one' into main"]);
      expect(trial.repo.git('status', '--porcelain')).toBe('');

      // Leave things that exist only here, remove by force, restore.
      tree.write('a.txt', 'uncommitted\n');
      tree.write('untracked.txt', 'only here\n');
      tree.write('.env', 'KEY=2\n');
      tree.write('local/data', 'only here\n');
      const before = bytesOf(path);
      const remove: Ask = (put) => put({ act: { session: ID, what: { type: seed % 2 === 0 ? 'archive' : 'remove', force: true } } });
      await trial.survive('removing it', 500, remove, (session) => session?.worktree?.state === 'removed');
      expect([existsSync(path), worktreesOf(trial.repo)]).toEqual([false, [trial.repo.path]]);
      const restore: Ask = (put) => put({ act: { session: ID, what: { type: known?.worktree?.state === 'failed' ? 'setup' : 'restore' } } });
      await trial.survive('restoring it', 500, restore, (session) => {
        known = session;
        return session?.worktree?.state === 'made';
      });
      expect(bytesOf(path)).toEqual(before);
      expect(trial.kills).toBeGreaterThan(3);
    },
    LIMIT_MS,
  );
}

function argvOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

const worktreesOf = (repo: TestRepository): readonly string[] =>
  repo
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));

/** A git that is killed in a merge leaves its lock and half-written files, which Signalbox never touches; a person does. Nothing is lost: both sides are commits. */
function tidyAsPerson(repo: TestRepository, isMerged: boolean): void {
  rmSync(join(repo.path, '.git/index.lock'), { force: true });
  if (repo.git('status', '--porcelain') === '') return;
  repo.git('reset', '-q', '--hard', isMerged ? 'main' : 'HEAD');
  repo.git('clean', '-qfd');
}

function bytesOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== '.git');
  return Object.fromEntries(files.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')]));
}
