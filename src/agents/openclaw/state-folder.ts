import { createHash } from 'node:crypto';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** OpenClaw's state folder. OPENCLAW_HOME is a home folder that contains it under its usual name. */
export const stateFolder = (env: Environment): string => env.OPENCLAW_STATE_DIR || join(env.OPENCLAW_HOME || (env.HOME ?? ''), '.openclaw');

export const configFile = (env: Environment): string => env.OPENCLAW_CONFIG_PATH || join(stateFolder(env), 'openclaw.json');

/** Layout version of the keeper's folder: another version of Signalbox uses its own. */
const LAYOUT = 'v1';

/**
 * The keeper's folder for this OpenClaw, shared by every Signalbox of this user: OpenClaw allows one Gateway per state folder, no matter who
 * starts it. Not inside that state folder, where we write nothing.
 */
export function keeperFolder(env: Environment): string {
  const which = createHash('sha256')
    .update(`${stateFolder(env)}\n${configFile(env)}`)
    .digest('hex')
    .slice(0, 16);
  return join(env.XDG_CACHE_HOME || join(env.HOME ?? '', '.cache'), 'signalbox', 'openclaw', which, LAYOUT);
}
