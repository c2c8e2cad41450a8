import type { Branch } from '../../../src/protocol/api/archive.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { countText } from '../../base/words/words.ts';
import type { ItemMark } from '../../client/http/session-api.ts';
import type { Meta, TagCount } from '../../client/http/session-list-api.ts';
import type { Desk } from '../cockpit.ts';
import { withSession } from '../frames/fold-frames.ts';
import type { Library } from '../session-list/session-list.ts';
import { withNotice } from '../state/notices.ts';
import { wordsOf } from './steering.ts';

/** What a person keeps of sessions, and of the records they are read from. A refusal becomes a notice in the server's words. */
export interface Keeping {
  /** None when they cannot be told. */
  tags(): Promise<readonly TagCount[]>;
  branches(sessionId: string): Promise<readonly Branch[]>;
  /** Sessions in whose title, folder or last line the words stand, live and past, newest first; none when they cannot be told. */
  findSessions(words: string): Promise<readonly Session[]>;
  describe(sessionId: string, meta: Meta): Promise<boolean>;
  /** A star or a note on one message; true when it is kept. */
  mark(sessionId: string, seq: number, marks: ItemMark): Promise<boolean>;
  /** Puts a record that its CLI deleted back where that finds it. */
  restore(sessionId: string): Promise<void>;
  loadIndex(): Promise<void>;
}

/** More are not read: more words find better. */
const FOUND = 30;

export function keeping(desk: Desk, library: Library): Keeping {
  const { api } = desk.options;
  return {
    tags: () => api.tags().catch(() => []),
    branches: (sessionId) => api.branches(sessionId).catch(() => []),
    findSessions: (words) =>
      api.sessions({ limit: String(FOUND), ...(words !== '' && { q: words }) }).then(
        ({ sessions }) => sessions,
        () => [],
      ),
    describe: (sessionId, meta) => told(desk, () => describe(desk, library, sessionId, meta)),
    mark: (sessionId, seq, marks) => told(desk, () => api.mark(sessionId, seq, marks)),
    restore: async (sessionId) => void (await told(desk, () => restore(desk, sessionId))),
    loadIndex: () =>
      api.index().then(
        (index) => desk.store.setState({ index }),
        () => undefined,
      ),
  };
}

function learn({ store }: Desk, library: Library, session: Session): void {
  library.take({ changed: [session], deleted: [] });
  if (store.getState().sessions.has(session.id)) store.setState((state) => withSession(state, session));
}

async function describe(desk: Desk, library: Library, sessionId: string, meta: Meta): Promise<void> {
  learn(desk, library, await desk.options.api.describe(sessionId, meta));
  desk.store.setState(({ described }) => ({ described: described + 1 }));
}

async function restore({ store, options }: Desk, sessionId: string): Promise<void> {
  const { paths } = await options.api.restore(sessionId);
  const words = `${countText(paths.length, 'file')} put back: ${paths.join(', ')}. The agent finds the conversation again.`;
  store.setState((state) => {
    const session = state.sessions.get(sessionId);
    const known = session?.past === undefined ? state : withSession(state, { ...session, past: { ...session.past, gone: false } });
    return withNotice(known, 'info', words);
  });
}

/** True when it was done. */
async function told({ store }: Desk, run: () => Promise<void>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    store.setState((state) => withNotice(state, 'error', wordsOf(error)));
    return false;
  }
}
