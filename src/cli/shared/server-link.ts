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

/** Fails at once if no server is running to begin with. */
export function linkTo(deps: CliDeps, config: CliConfig): ServerLink {
  const now = (): Api => openApi(deps, config);
  now();
  return { now, ask: (schema, path, body) => patiently(() => now().ask(schema, path, body === undefined ? {} : { method: 'POST', body })) };
}

async function patiently<T>(attempt: () => Promise<T>): Promise<T> {
  const since = Date.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CliProblem && error.isAway) || Date.now() - since > AWAY_MS) throw error;
      await pause(RETRY_MS);
    }
  }
}

export const addressOf = (sessionId: string): string => `/api/sessions/${encodeURIComponent(sessionId)}`;
