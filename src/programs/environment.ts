import { delimiter, dirname } from 'node:path';

/** Drops what belongs to this server (its token among it) and what is unset. */
export function inheritable(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('SIGNALBOX_')) kept[name] = value;
  }
  return kept;
}

/**
 * With a PATH on which the program can run: a script needs its Node, which lies beside it (nvm) or is our own, and the launcher needs the
 * system's tools. They come last, so that they take nobody's place.
 */
export function runnableEnv(env: Readonly<Record<string, string>>, executable: string): Readonly<Record<string, string>> {
  const given = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const needed = [dirname(executable), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
  return { ...env, PATH: [...new Set([...given, ...needed])].join(delimiter) };
}
