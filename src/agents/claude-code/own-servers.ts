import { join } from 'node:path';
import type { Adapter } from '../port/adapter.ts';

/** Where the CLI looks for servers of the user, the project, and this session (2.1.325). A server of theirs with our name would be lost without a word. */
export const ownServerFiles: NonNullable<Adapter['ownServerFiles']> = ({ cwd, env, options }) => [
  env.CLAUDE_CONFIG_DIR === undefined ? join(env.HOME ?? '', '.claude.json') : join(env.CLAUDE_CONFIG_DIR, '.claude.json'),
  join(cwd, '.mcp.json'),
  ...(options.mcpConfigPath === undefined ? [] : [options.mcpConfigPath]),
];
