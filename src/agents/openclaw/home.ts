import { createHash } from 'node:crypto';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where OpenClaw keeps everything. A home of its own is a home, in which the state has its usual place. */
export const stateOf = (env: Environment): string => env.OPENCLAW_STATE_DIR || join(env.OPENCLAW_HOME || (env.HOME ?? ''), '.openclaw');

export const configOf = (env: Environment): string => env.OPENCLAW_CONFIG_PATH || join(stateOf(env), 'openclaw.json');

/** The layout of the keeper's folder: a server of another version of Signalbox finds its own. */
const LAYOUT = 'v1';

/**
 * Where the keeper of this OpenClaw lies, the same for every Signalbox of this person: OpenClaw lets one Gateway have its state, whoever starts
 * it. Not below that state, of which nothing is written by us.
 */
export function keeperFolder(env: Environment): string {
  const which = createHash('sha256')
    .update(`${stateOf(env)}\n${configOf(env)}`)
    .digest('hex')
    .slice(0, 16);
  return join(env.XDG_CACHE_HOME || join(env.HOME ?? '', '.cache'), 'signalbox', 'openclaw', which, LAYOUT);
}
