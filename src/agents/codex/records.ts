import { join } from 'node:path';

/** Where Codex keeps its rollouts: `YYYY/MM/DD/rollout-<time>-<thread>.jsonl` below it. */
export const sessionsFolder = (env: Readonly<Record<string, string>>): string => join(env.CODEX_HOME || join(env.HOME ?? '', '.codex'), 'sessions');
