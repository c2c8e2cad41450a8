import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A real repository for tests, independent of the machine's own git settings. */
export interface TestRepository {
  readonly path: string;
  git(...args: readonly string[]): string;
  write(file: string, text: string): void;
  /** Commits everything that is not ignored. */
  commit(message: string): string;
}

const ENV = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

export function createRepository(path: string, files: Readonly<Record<string, string>> = { 'readme.md': 'hello\n' }): TestRepository {
  mkdirSync(path, { recursive: true });
  const repository = openRepository(path);
  repository.git('init', '-q', '-b', 'main');
  repository.git('config', 'user.name', 'Ada');
  repository.git('config', 'user.email', 'ada@example.org');
  for (const [file, text] of Object.entries(files)) repository.write(file, text);
  repository.commit('first');
  return repository;
}

export function openRepository(path: string): TestRepository {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', path, ...args], { encoding: 'utf8', env: { ...ENV, HOME: dirname(path) }, stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  return {
    path,
    git,
    write: (file, text) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    commit: (message) => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}
