import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRepository, type TestRepository } from '../../test/support/git/repository.ts';
import { notable, plantedSince } from './planted.ts';
import { repositoryOf } from './repository.ts';

let repo: TestRepository;
beforeEach(() => {
  repo = createRepository();
  vi.stubEnv('HOME', repo.home);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  repo.remove();
});

async function now() {
  const place = await repositoryOf(repo.folder);
  if ('words' in place) throw new Error(place.words);
  return notable(place);
}

const hook = (path: string, text: string, mode = 0o755) => {
  repo.write(path, text);
  chmodSync(join(repo.folder, path), mode);
};

test('[R340] hooks, settings that run programs and settings that name remotes are noticed, harmless ones are not', async () => {
  const before = await now();
  repo.git('config', 'user.name', 'Somebody');
  repo.git('config', 'branch.main.merge', 'refs/heads/main');
  expect(plantedSince(before, await now(), [])).toBeUndefined();
  const planted: readonly (readonly [string, string])[] = [
    ['core.hooksPath', 'hidden'],
    ['core.sshCommand', 'evil'],
    ['filter.x.clean', 'evil'],
    ['remote.origin.pushurl', 'https://ada:secret@evil.example/x'],
    ['credential.helper', '!evil'],
    ['url.https://evil.example/.insteadOf', 'https://github.com/'],
    ['gpg.program', 'evil'],
    ['include.path', 'more'],
    ['some.unknownKey', 'x'],
  ];
  for (const [name, value] of planted) repo.git('config', name, value);
  hook('hidden/pre-commit', '#!/bin/sh\nevil\n');
  hook('hidden/not-executable', 'evil', 0o644);
  hook('.husky/pre-push', 'evil');
  const found = plantedSince(before, await now(), []);
  expect(found?.changes.map(({ name }) => name).sort()).toEqual(
    [...planted.map(([name]) => `setting ${name.replace(/^[^.]+|[^.]+$/g, (part) => part.toLowerCase())}`), 'hook pre-commit', 'file .husky/pre-push'].sort(),
  );
  expect(found?.changes.find(({ name }) => name === 'setting remote.origin.pushurl')?.text).toBe('https://ada:…@evil.example/x');
  expect(found?.changes.find(({ name }) => name === 'hook pre-commit')).toMatchObject({ kind: 'hook', change: 'new', text: '#!/bin/sh\nevil\n' });
});

test('[R341] a confirmation is for exactly this content: one more change needs another one', async () => {
  const before = await now();
  hook('.git/hooks/pre-commit', 'one');
  const first = plantedSince(before, await now(), []);
  expect(first).toMatchObject({ confirmed: false, startKnown: true });
  const trusted = [first?.sha256 ?? ''];
  expect(plantedSince(before, await now(), trusted)).toMatchObject({ confirmed: true });
  hook('.git/hooks/pre-commit', 'two');
  expect(plantedSince(before, await now(), trusted)).toMatchObject({ confirmed: false });
  expect(plantedSince(undefined, await now(), trusted)).toMatchObject({ confirmed: false, startKnown: false });
});

test('a hook that is deleted, made executable or replaced by a pipe is noticed, and nothing waits', async () => {
  hook('.git/hooks/pre-commit', 'one');
  hook('.git/hooks/pre-push', 'later', 0o644);
  const before = await now();
  chmodSync(join(repo.folder, '.git/hooks/pre-push'), 0o755);
  repo.git('config', '--unset', 'core.bare');
  writeFileSync(join(repo.folder, '.git/hooks/pre-commit'), '');
  execFileSync('rm', [join(repo.folder, '.git/hooks/pre-commit')]);
  execFileSync('mkfifo', [join(repo.folder, '.git/hooks/pre-commit')]);
  chmodSync(join(repo.folder, '.git/hooks/pre-commit'), 0o755);
  expect(plantedSince(before, await now(), [])?.changes).toEqual([
    { name: 'hook pre-push', kind: 'hook', change: 'new', text: 'later' },
    { name: 'hook pre-commit', kind: 'hook', change: 'gone' },
  ]);
});
