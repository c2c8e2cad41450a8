import { PersonState } from '../../../src/protocol/http.ts';
import { Recap } from '../../../src/protocol/seen.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** The user's settings on the server. Throws the server's message if it refuses. */
export interface PersonApi {
  state(): Promise<PersonState>;
  /** A merge patch: null removes a field. Resolves to the full state. */
  changeState(patch: PersonState): Promise<PersonState>;
  /** What happened between two times. */
  recap(since: string, until: string): Promise<Recap>;
}

export const personApi = (call: Call): PersonApi => ({
  state: async () => PersonState.parse(await call('GET', 'api/state')),
  changeState: async (patch) => PersonState.parse(await call('PATCH', 'api/state', patch)),
  recap: async (since, until) => Recap.parse(await call('GET', `api/recap?${new URLSearchParams({ since, until })}`)),
});
