import { SessionHealth } from '../../../src/protocol/api/health.ts';
import { caller } from './api.ts';

export interface HealthApi {
  /** Throws the server's message if it refuses. */
  health(sessionId: string): Promise<SessionHealth>;
}

export function createHealthApi(base: string): HealthApi {
  const call = caller(base);
  return { health: async (sessionId) => SessionHealth.parse(await call('GET', `api/sessions/${encodeURIComponent(sessionId)}/health`)) };
}
