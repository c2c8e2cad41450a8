import { expect, test } from 'vitest';
import { candidates, type SearchEnvironment } from './program-locations.ts';

const LOCATE = { names: ['tool'], versionArgs: [], places: ['.tool/local/tool'] };

/** A machine with only these settings. */
const machine = (given: Partial<SearchEnvironment> & { readonly folders?: Readonly<Record<string, readonly string[]>> } = {}): SearchEnvironment => ({
  env: {},
  home: '/home/ada',
  nodeFolder: '/opt/node/bin',
  list: (folder) => given.folders?.[folder] ?? [],
  read: () => undefined,
  ...given,
});

const pathsFoundBy = (environment: SearchEnvironment, foundBy: string): readonly string[] =>
  candidates(LOCATE, environment)
    .filter((candidate) => candidate.foundBy === foundBy)
    .map((candidate) => candidate.path);

const cases: readonly (readonly [title: string, foundBy: string, environment: SearchEnvironment, paths: readonly string[]])[] = [
  ['on PATH, skipping relative folders', 'PATH', machine({ env: { PATH: '/a:.::/b' } }), ['/a/tool', '/b/tool']],
  ['where its own installer puts it', '~/.tool/local/tool', machine(), ['/home/ada/.tool/local/tool']],
  ['in ~/.local/bin', '~/.local/bin', machine(), ['/home/ada/.local/bin/tool']],
  ['in npm’s default prefix and that of our own Node', 'npm', machine(), ['/home/ada/.npm-global/bin/tool', '/opt/node/bin/tool']],
  [
    'in npm’s prefix from the environment and from .npmrc',
    'npm',
    machine({ env: { NPM_CONFIG_PREFIX: '/srv/npm' }, read: (file) => (file === '/home/ada/.npmrc' ? 'color=false\nprefix = ~/global\n' : undefined) }),
    ['/srv/npm/bin/tool', '/home/ada/global/bin/tool', '/home/ada/.npm-global/bin/tool', '/opt/node/bin/tool'],
  ],
  [
    'in nvm, the newest Node first',
    'nvm',
    machine({ folders: { '/home/ada/.nvm/versions/node': ['v9.11.2', 'v22.1.0', 'v22.10.0', 'v18.0.0'] } }),
    ['v22.10.0', 'v22.1.0', 'v18.0.0', 'v9.11.2'].map((version) => `/home/ada/.nvm/versions/node/${version}/bin/tool`),
  ],
  [
    'in nvm under NVM_DIR',
    'nvm',
    machine({ env: { NVM_DIR: '/srv/nvm' }, folders: { '/srv/nvm/versions/node': ['v20.1.0'] } }),
    ['/srv/nvm/versions/node/v20.1.0/bin/tool'],
  ],
  [
    'in fnm, the default first, then the newest',
    'fnm',
    machine({ env: { FNM_DIR: '/srv/fnm' }, folders: { '/srv/fnm/node-versions': ['v8.0.0', 'v20.0.0'] } }),
    [
      '/srv/fnm/aliases/default/bin/tool',
      '/srv/fnm/node-versions/v20.0.0/installation/bin/tool',
      '/srv/fnm/node-versions/v8.0.0/installation/bin/tool',
      '/home/ada/.local/share/fnm/aliases/default/bin/tool',
      '/home/ada/.fnm/aliases/default/bin/tool',
      '/home/ada/Library/Application Support/fnm/aliases/default/bin/tool',
    ],
  ],
  ['in volta', 'volta', machine(), ['/home/ada/.volta/bin/tool']],
  ['in volta under VOLTA_HOME', 'volta', machine({ env: { VOLTA_HOME: '/srv/volta' } }), ['/srv/volta/bin/tool']],
  ['in bun', 'bun', machine(), ['/home/ada/.bun/bin/tool']],
  ['in bun under BUN_INSTALL', 'bun', machine({ env: { BUN_INSTALL: '/srv/bun' } }), ['/srv/bun/bin/tool']],
  [
    'in pnpm under PNPM_HOME and its default folders',
    'pnpm',
    machine({ env: { PNPM_HOME: '/srv/pnpm' } }),
    ['/srv/pnpm', '/home/ada/.local/share/pnpm', '/home/ada/Library/pnpm'].flatMap((root) => [`${root}/tool`, `${root}/bin/tool`]),
  ],
  ['in Homebrew on a Mac and on Linux', 'Homebrew', machine(), ['/opt/homebrew/bin/tool', '/home/linuxbrew/.linuxbrew/bin/tool']],
  ['in system folders', 'the system', machine(), ['/usr/local/bin/tool', '/usr/bin/tool']],
];

for (const [title, foundBy, environment, paths] of cases)
  test(`a program is searched for ${title}`, () => expect(pathsFoundBy(environment, foundBy)).toEqual(paths));

test('PATH comes before every other location, and each path is tried once', () => {
  const all = candidates(LOCATE, machine({ env: { PATH: '/usr/local/bin:/home/ada/.bun/bin' } })).map((candidate) => `${candidate.foundBy} ${candidate.path}`);
  expect(all.slice(0, 3)).toEqual(['PATH /usr/local/bin/tool', 'PATH /home/ada/.bun/bin/tool', '~/.tool/local/tool /home/ada/.tool/local/tool']);
  expect(all.filter((one) => one.endsWith('/usr/local/bin/tool'))).toHaveLength(1);
});

test('an agent without program names is not searched for', () => {
  expect(candidates({ names: [] }, machine({ env: { PATH: '/a' } }))).toEqual([]);
});
