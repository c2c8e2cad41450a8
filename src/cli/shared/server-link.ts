import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { type Api, openApi } from './api.ts';
import { CliProblem } from './command.ts';
import type { CliConfig, CliDeps } from './deps.ts';

/** How long to wait for a server that is away: a restart takes a second, an update perhaps half a minute. */
export const AWAY_MS = 60_000;
export const RETRY_MS = 500;

/** The running server, also across its restarts. */
export interface ServerLink {
  /** The address and the token now: a restarted server can have another port. */
  now(): Api;
  /**
   * Asks again until a server answers, because one may be restarting. Whatever changes something must carry its own command id:
   * sent again, it is then done once.
   */
  ask<S extends z.ZodMiniType>(schema: S, path: string, body?: unknown): Promise<z.infer<S>>;
}

/** Fails at once if there is no server to begin with. One that was killed has left its file, and is probably started again. */
export function linkTo(deps: CliDeps, config: CliConfig): ServerLink {
  const now = (): Api => openApi(deps, config);
  if (deps.env.SIGNALBOX_URL !== undefined || !existsSync(join(config.data, 'server.json'))) now();
  let hasSaidSo = false;
  const away = (): void => {
    if (!hasSaidSo) deps.stderr.write('Waiting for the server…\n');
    hasSaidSo = true;
  };
  return { now, ask: (schema, path, body) => patiently(() => now().ask(schema, path, body === undefined ? {} : { method: 'POST', body }), away) };
}

/** Not every lost request is worth a word: a restart takes about this long. */
const QUIET_MS = 3000;

async function patiently<T>(attempt: () => Promise<T>, away: () => void): Promise<T> {
  const since = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CliProblem && error.isAway) || Date.now() - since > AWAY_MS) throw error;
      if (Date.now() - since > QUIET_MS) away();
      await pause(RETRY_MS);
    }
  }
}

export const addressOf = (sessionId: string): string => `/api/sessions/${encodeURIComponent(sessionId)}`;
