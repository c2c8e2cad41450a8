import { delimiter, isAbsolute, join } from 'node:path';
import type { Locate } from '../agents/adapter.ts';

/** What is looked at to know where programs may lie. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder of the Node that runs us: what its npm installed globally lies beside it. */
  readonly nodeFolder: string;
  /** Names in a folder; none when it is not there. */
  list(folder: string): readonly string[];
  /** The text of a file; undefined when it is not there. */
  read(file: string): string | undefined;
}

/** A path that may be the program, and who would have put it there. */
export interface Candidate {
  readonly path: string;
  readonly way: string;
}

interface Place {
  readonly way: string;
  readonly folders: readonly string[];
}

/** Everywhere an installed program may be, best first: PATH, the agent's own places, then those of the usual installers. */
export function candidates({ names, places = [] }: Pick<Locate, 'names' | 'places'>, around: Surroundings): readonly Candidate[] {
  const own = places.map((place) => ({ path: join(around.home, place), way: `~/${place}` }));
  const named = ({ way, folders }: Place): readonly Candidate[] =>
    folders.filter(isAbsolute).flatMap((folder) => names.map((name) => ({ path: join(folder, name), way })));
  return unique([...named(onPath(around)), ...own, ...usualPlaces(around).flatMap(named)]);
}

/** A server that a desktop or a daemon started does not have the PATH that a person's shell makes. */
const usualPlaces = (around: Surroundings): readonly Place[] => [
  { way: '~/.local/bin', folders: [join(around.home, '.local/bin')] },
  npm(around),
  nvm(around),
  fnm(around),
  { way: 'volta', folders: [join(around.env.VOLTA_HOME || join(around.home, '.volta'), 'bin')] },
  { way: 'bun', folders: [join(around.env.BUN_INSTALL || join(around.home, '.bun'), 'bin')] },
  pnpm(around),
  homebrew(around),
  { way: 'the system', folders: ['/usr/local/bin', '/usr/bin'] },
];

const onPath = ({ env }: Surroundings): Place => ({ way: 'PATH', folders: (env.PATH ?? '').split(delimiter) });

function npm({ env, home, nodeFolder, read }: Surroundings): Place {
  const set = [env.npm_config_prefix, env.NPM_CONFIG_PREFIX, prefixIn(read(join(home, '.npmrc')), home)];
  const prefixes = [...set.filter((prefix) => prefix !== undefined && prefix !== ''), join(home, '.npm-global')];
  return { way: 'npm', folders: [...prefixes.map((prefix) => join(prefix ?? '', 'bin')), nodeFolder] };
}

function prefixIn(npmrc: string | undefined, home: string): string | undefined {
  const value = /^\s*prefix\s*=\s*["']?(.*?)["']?\s*$/m.exec(npmrc ?? '')?.[1];
  return value?.replace(/^(~|\$\{HOME\})(?=\/|$)/, home);
}

function nvm({ env, home, list }: Surroundings): Place {
  const roots = [env.NVM_DIR, join(home, '.nvm'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'nvm')].filter(isGiven);
  const versions = roots.map((root) => join(root, 'versions/node'));
  return { way: 'nvm', folders: versions.flatMap((folder) => newestFirst(list(folder)).map((version) => join(folder, version, 'bin'))) };
}

function fnm({ env, home, list }: Surroundings): Place {
  const data = join(env.XDG_DATA_HOME || join(home, '.local/share'), 'fnm');
  const roots = [env.FNM_DIR, data, join(home, '.fnm'), join(home, 'Library/Application Support/fnm')].filter(isGiven);
  const inVersions = (root: string): readonly string[] =>
    newestFirst(list(join(root, 'node-versions'))).map((version) => join(root, 'node-versions', version, 'installation/bin'));
  return { way: 'fnm', folders: roots.flatMap((root) => [join(root, 'aliases/default/bin'), ...inVersions(root)]) };
}

/** Its bin folder is the home itself, or below it in newer versions. */
function pnpm({ env, home }: Surroundings): Place {
  const data = join(env.XDG_DATA_HOME || join(home, '.local/share'), 'pnpm');
  const roots = [env.PNPM_HOME, data, join(home, 'Library/pnpm')].filter(isGiven);
  return { way: 'pnpm', folders: roots.flatMap((root) => [root, join(root, 'bin')]) };
}

function homebrew({ env }: Surroundings): Place {
  const roots = [env.HOMEBREW_PREFIX, '/opt/homebrew', '/home/linuxbrew/.linuxbrew'].filter(isGiven);
  return { way: 'Homebrew', folders: roots.map((root) => join(root, 'bin')) };
}

/** Where version managers keep whole installations of Node, besides the usual places. */
export const nodeFolders = (around: Surroundings): readonly Place[] => {
  const { env, home } = around;
  const each = (way: string, root: string, below: string): Place => ({
    way,
    folders: newestFirst(around.list(root)).map((version) => join(root, version, below)),
  });
  return [
    each('volta', join(env.VOLTA_HOME || join(home, '.volta'), 'tools/image/node'), 'bin'),
    each('asdf', join(env.ASDF_DATA_DIR || join(home, '.asdf'), 'installs/nodejs'), 'bin'),
    each('mise', join(env.MISE_DATA_DIR || join(env.XDG_DATA_HOME || join(home, '.local/share'), 'mise'), 'installs/node'), 'bin'),
    each('nodenv', join(env.NODENV_ROOT || join(home, '.nodenv'), 'versions'), 'bin'),
    each('n', join(env.N_PREFIX || '/usr/local', 'n/versions/node'), 'bin'),
  ];
};

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';

/** `v9.11.2` is older than `v22.1.0`. */
const newestFirst = (versions: readonly string[]): readonly string[] => [...versions].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

function unique(all: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  for (const candidate of all) if (!first.has(candidate.path)) first.set(candidate.path, candidate);
  return [...first.values()];
}
