import { Blame } from '../../../src/protocol/api/blame.ts';
import { caller } from './api.ts';

/** Who wrote a line of a file in a session's folders. Throws the server's message if it refuses. */
export async function blameOf(base: string, sessionId: string, path: string, line: number): Promise<Blame> {
  const query = new URLSearchParams({ session: sessionId, path, line: String(line) });
  return Blame.parse(await caller(base)('GET', `api/blame?${query}`));
}
