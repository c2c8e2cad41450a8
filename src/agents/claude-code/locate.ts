import type { Locate } from '../port/adapter.ts';

export const locate: Locate = {
  variable: 'CLAUDE_PATH',
  names: ['claude'],
  // Its local installation: a wrapper script, and the program it runs.
  places: ['.claude/local/claude', '.claude/local/node_modules/.bin/claude'],
  install: 'npm install -g @anthropic-ai/claude-code, then run claude once in a terminal to log in',
  versionArgs: ['--version'],
};
