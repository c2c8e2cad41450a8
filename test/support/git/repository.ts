import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real repository in a temporary home, whose settings are nobody else's. */
export interface TestRepository {
  readonly home: string;
  readonly folder: string;
  /** What a person's git in this home sees. */
  readonly env: Readonly<Record<string, string>>;
  git(...args: readonly string[]): string;
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  /** A bare repository next to it, as the remote `origin`. */
  addRemote(): string;
  remove(): void;
}

export function createRepository(): TestRepository {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-git-')));
  const folder = join(home, 'project');
  mkdirSync(folder);
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const run = (cwd: string, args: readonly string[]) => execFileSync('git', [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString('utf8');
  const git = (...args: readonly string[]) => run(folder, args);
  git('config', '--global', 'user.name', 'Ada');
  git('config', '--global', 'user.email', 'ada@example.com');
  git('init', '-q', '-b', 'main');
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  return {
    home,
    folder,
    env,
    git,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    addRemote: () => {
      const bare = join(home, 'origin.git');
      run(home, ['init', '-q', '--bare', '-b', 'main', bare]);
      git('remote', 'add', 'origin', bare);
      return bare;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Thirty numbered lines: changes to lines 2, 15 and 28 are three hunks. */
export const thirtyLines = (changed: readonly number[] = []): string =>
  Array.from({ length: 30 }, (_, at) => `line ${at + 1}${changed.includes(at + 1) ? ' changed' : ''}\n`).join('');
