import { PersonState } from '../../../src/protocol/http.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** What the server keeps for the one who looks at the page. Throws what the server said when it refuses. */
export interface PersonApi {
  state(): Promise<PersonState>;
  /** By a merge patch: null removes a field. Answers the whole. */
  changeState(patch: PersonState): Promise<PersonState>;
}

export const personApi = (call: Call): PersonApi => ({
  state: async () => PersonState.parse(await call('GET', 'api/state')),
  changeState: async (patch) => PersonState.parse(await call('PATCH', 'api/state', patch)),
});
