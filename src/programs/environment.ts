import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { AGENTS } from '../agents/index.ts';

/** The server may have been started by an agent. */
const INSIDE_AN_AGENT: ReadonlySet<string> = new Set(AGENTS.flatMap(({ insideVariables = [] }) => insideVariables));

/** Drops unset variables, those of this server, including its token, and those by which an agent knows that another one started it. */
export function inheritable(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('SIGNALBOX_') && !INSIDE_AN_AGENT.has(name)) inherited[name] = value;
  }
  return inherited;
}

/** Where tools are usually installed: in the home folder, and on the machine. */
const HOME_FOLDERS = [
  '.local/bin',
  'bin',
  '.cargo/bin',
  'go/bin',
  '.bun/bin',
  '.deno/bin',
  '.volta/bin',
  '.npm-global/bin',
  '.local/share/pnpm',
  '.pyenv/shims',
  '.rbenv/shims',
  '.asdf/shims',
  '.local/share/mise/shims',
];
const MACHINE_FOLDERS = [
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/local/bin',
  '/usr/local/go/bin',
  '/usr/bin',
  '/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
  '/snap/bin',
];

/**
 * Extends PATH so that the program can run: a script needs its Node, which is next to it (nvm) or is our own, and an agent needs the tools that its person
 * has in a terminal, even if a daemon started the server. They come last, so that they don't override anything.
 */
export function runnableEnv(env: Readonly<Record<string, string>>, executable: string): Readonly<Record<string, string>> {
  const given = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const home = env.HOME || homedir();
  const tools = [...HOME_FOLDERS.map((folder) => join(home, folder)), ...MACHINE_FOLDERS].filter(isFolder);
  const needed = [dirname(executable), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', ...tools];
  return { ...env, PATH: [...new Set([...given, ...needed])].join(delimiter) };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
