import { join } from 'node:path';

/** Where Codex stores its rollouts, as `YYYY/MM/DD/rollout-<time>-<thread>.jsonl`. */
export const sessionsFolder = (env: Readonly<Record<string, string>>): string => join(env.CODEX_HOME || join(env.HOME ?? '', '.codex'), 'sessions');

/** The thread of a rollout, from its path or name. */
export const threadIn = (path: string): string | undefined =>
  /^(?:[^/]+\/)*rollout-[^/]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1];
