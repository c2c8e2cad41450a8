import type { Locate } from '../port/adapter.ts';

export const locate: Locate = {
  variable: 'CODEX_PATH',
  names: ['codex'],
  install: 'npm install -g @openai/codex, then run codex once to log in',
  versionArgs: ['--version'],
};
