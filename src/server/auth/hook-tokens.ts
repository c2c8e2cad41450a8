import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentId } from '../../protocol/ids.ts';
import { isSameHash, sha256 } from './secret.ts';

/**
 * The token of the hooks of one agent. It is in a file that only its owner can read, where the hooks find it; without the file it is worth nothing.
 * Such a token is no person's: it can use the few routes in `HOOK_ROUTES` and nothing else.
 */
export interface HookTokens {
  /** The agent whose hooks sent this token; `wrong` when it looks like one but isn't valid, undefined for any other text. */
  agentOf(token: string): AgentId | 'wrong' | undefined;
}

const SHAPE = /^hook\.([^/\\]+)\.[\w-]{43}$/;

export const openHookTokens = (dataDir: string): HookTokens => ({
  agentOf: (token) => {
    const name = SHAPE.exec(token)?.[1];
    if (name === undefined) return undefined;
    const agent = AgentId.safeParse(name);
    const stored = agent.success ? textOf(join(dataDir, 'hooks', `${agent.data}.token`)) : undefined;
    return stored !== undefined && agent.success && isSameHash(sha256(stored.trim()), sha256(token)) ? agent.data : 'wrong';
  },
});

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** All that hooks may use; each of these routes also checks that the session is one that hooks reported. */
const HOOK_ROUTES: ReadonlySet<string> = new Set([
  'POST /api/hooks/permission',
  'GET /api/hooks/permission/:askId',
  'POST /api/hooks/event',
  'GET /api/hooks/status',
  'GET /api/sessions/:id/input',
  'POST /api/sessions/:id/input/ack',
]);

export const isAllowedForHooks = (method: string, path: string): boolean => HOOK_ROUTES.has(`${method} ${path}`);
