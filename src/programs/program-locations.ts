import { delimiter, isAbsolute, join } from 'node:path';
import type { Locate } from '../agents/port/adapter.ts';

/** What the search for programs reads from this machine. */
export interface SearchEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of the Node that runs us: packages that its npm installed globally are next to it. */
  readonly nodeFolder: string;
  /** Names in a folder; empty when it doesn't exist. */
  list(folder: string): readonly string[];
  /** The text of a file; undefined when it doesn't exist. */
  read(file: string): string | undefined;
}

/** A path where the program could be, and which installer would have put it there. */
export interface Candidate {
  readonly path: string;
  readonly foundBy: string;
}

interface InstallFolders {
  readonly foundBy: string;
  readonly folders: readonly string[];
}

/** Everywhere an installed program could be, best first: PATH, the agent's own locations, then those of common installers. */
export function candidates({ names, places = [] }: Pick<Locate, 'names' | 'places'>, environment: SearchEnvironment): readonly Candidate[] {
  const own = places.map((place) => ({ path: join(environment.home, place), foundBy: `~/${place}` }));
  const named = ({ foundBy, folders }: InstallFolders): readonly Candidate[] =>
    folders.filter(isAbsolute).flatMap((folder) => names.map((name) => ({ path: join(folder, name), foundBy })));
  return unique([...named(onPath(environment)), ...own, ...installerFolders(environment).flatMap(named)]);
}

/** A server started by a desktop or a daemon doesn't have the PATH of the person's shell. */
const installerFolders = (environment: SearchEnvironment): readonly InstallFolders[] => [
  { foundBy: '~/.local/bin', folders: [join(environment.home, '.local/bin')] },
  npm(environment),
  nvm(environment),
  fnm(environment),
  { foundBy: 'volta', folders: [join(environment.env.VOLTA_HOME || join(environment.home, '.volta'), 'bin')] },
  { foundBy: 'bun', folders: [join(environment.env.BUN_INSTALL || join(environment.home, '.bun'), 'bin')] },
  pnpm(environment),
  homebrew(environment),
  { foundBy: 'the system', folders: ['/usr/local/bin', '/usr/bin'] },
];

const onPath = ({ env }: SearchEnvironment): InstallFolders => ({ foundBy: 'PATH', folders: (env.PATH ?? '').split(delimiter) });

function npm({ env, home, nodeFolder, read }: SearchEnvironment): InstallFolders {
  const set = [env.npm_config_prefix, env.NPM_CONFIG_PREFIX, prefixIn(read(join(home, '.npmrc')), home)];
  const prefixes = [...set.filter((prefix) => prefix !== undefined && prefix !== ''), join(home, '.npm-global')];
  return { foundBy: 'npm', folders: [...prefixes.map((prefix) => join(prefix ?? '', 'bin')), nodeFolder] };
}

function prefixIn(npmrc: string | undefined, home: string): string | undefined {
  const value = /^\s*prefix\s*=\s*["']?(.*?)["']?\s*$/m.exec(npmrc ?? '')?.[1];
  return value?.replace(/^(~|\$\{HOME\})(?=\/|$)/, home);
}

function nvm({ env, home, list }: SearchEnvironment): InstallFolders {
  const roots = [env.NVM_DIR, join(home, '.nvm'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'nvm')].filter(isSet);
  const versions = roots.map((root) => join(root, 'versions/node'));
  return { foundBy: 'nvm', folders: versions.flatMap((folder) => newestFirst(list(folder)).map((version) => join(folder, version, 'bin'))) };
}

function fnm({ env, home, list }: SearchEnvironment): InstallFolders {
  const data = join(env.XDG_DATA_HOME || join(home, '.local/share'), 'fnm');
  const roots = [env.FNM_DIR, data, join(home, '.fnm'), join(home, 'Library/Application Support/fnm')].filter(isSet);
  const inVersions = (root: string): readonly string[] =>
    newestFirst(list(join(root, 'node-versions'))).map((version) => join(root, 'node-versions', version, 'installation/bin'));
  return { foundBy: 'fnm', folders: roots.flatMap((root) => [join(root, 'aliases/default/bin'), ...inVersions(root)]) };
}

/** pnpm's binaries are in its home folder, or in `bin` below it in newer versions. */
function pnpm({ env, home }: SearchEnvironment): InstallFolders {
  const data = join(env.XDG_DATA_HOME || join(home, '.local/share'), 'pnpm');
  const roots = [env.PNPM_HOME, data, join(home, 'Library/pnpm')].filter(isSet);
  return { foundBy: 'pnpm', folders: roots.flatMap((root) => [root, join(root, 'bin')]) };
}

function homebrew({ env }: SearchEnvironment): InstallFolders {
  const roots = [env.HOMEBREW_PREFIX, '/opt/homebrew', '/home/linuxbrew/.linuxbrew'].filter(isSet);
  return { foundBy: 'Homebrew', folders: roots.map((root) => join(root, 'bin')) };
}

/** Where version managers store Node installations, besides the usual locations. */
export const nodeFolders = (environment: SearchEnvironment): readonly InstallFolders[] => {
  const { env, home } = environment;
  const each = (foundBy: string, root: string, below: string): InstallFolders => ({
    foundBy,
    folders: newestFirst(environment.list(root)).map((version) => join(root, version, below)),
  });
  return [
    each('volta', join(env.VOLTA_HOME || join(home, '.volta'), 'tools/image/node'), 'bin'),
    each('asdf', join(env.ASDF_DATA_DIR || join(home, '.asdf'), 'installs/nodejs'), 'bin'),
    each('mise', join(env.MISE_DATA_DIR || join(env.XDG_DATA_HOME || join(home, '.local/share'), 'mise'), 'installs/node'), 'bin'),
    each('nodenv', join(env.NODENV_ROOT || join(home, '.nodenv'), 'versions'), 'bin'),
    each('n', join(env.N_PREFIX || '/usr/local', 'n/versions/node'), 'bin'),
  ];
};

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

/** `v9.11.2` is older than `v22.1.0`. */
const newestFirst = (versions: readonly string[]): readonly string[] => [...versions].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

function unique(all: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of all) if (!first.has(candidate.path)) first.set(candidate.path, candidate);
  return [...first.values()];
}
