import { delimiter, dirname } from 'node:path';

/** Drops unset variables and those of this server, including its token. */
export function inheritable(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('SIGNALBOX_')) inherited[name] = value;
  }
  return inherited;
}

/**
 * Extends PATH so that the program can run: a script needs its Node, which is next to it (nvm) or is our own, and the launcher needs the
 * system's tools. They come last, so that they don't override anything.
 */
export function runnableEnv(env: Readonly<Record<string, string>>, executable: string): Readonly<Record<string, string>> {
  const given = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const needed = [dirname(executable), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  return { ...env, PATH: [...new Set([...given, ...needed])].join(delimiter) };
}
