import { basename, join } from 'node:path';

type Env = Readonly<Record<string, string>>;

/** The folder of all session files: each working folder has its own folder in it, unless a person chose one folder for all. */
export const sessionsOf = (env: Env): string =>
  env.PI_CODING_AGENT_SESSION_DIR || join(env.PI_CODING_AGENT_DIR || join(env.HOME ?? '', '.pi', 'agent'), 'sessions');

/** The folder of the session files of a working folder. */
export const sessionsFor = ({ cwd, env }: { readonly cwd: string; readonly env: Env }): string =>
  env.PI_CODING_AGENT_SESSION_DIR || join(sessionsOf(env), folderOf(cwd));

export const folderOf = (cwd: string): string => `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;

/** Names start with the time when the session was created, followed by its id. */
export const idIn = (path: string): string | undefined => /^[^_]+_([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\.jsonl$/.exec(basename(path))?.[1];
