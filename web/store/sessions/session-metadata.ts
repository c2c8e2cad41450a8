import type { Branch } from '../../../src/protocol/api/archive.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { countText } from '../../base/text/format.ts';
import type { ItemMark } from '../../client/http/session-api.ts';
import type { Meta, TagCount } from '../../client/http/session-list-api.ts';
import { withSession } from '../frames/fold-frames.ts';
import type { SessionListStore } from '../session-list/session-list.ts';
import { noticeOnError, withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';

/** Titles, tags, notes and branches of sessions, and the files behind them. A refusal becomes a notice with the server's message. */
export interface SessionMetadata {
  /** Empty if they can't be loaded. */
  tags(): Promise<readonly TagCount[]>;
  branches(sessionId: string): Promise<readonly Branch[]>;
  /** Live and past sessions whose title, folder or last line match, newest first; empty if they can't be loaded. */
  findSessions(query: string): Promise<readonly Session[]>;
  /** True when it is saved. */
  describe(sessionId: string, meta: Meta): Promise<true | undefined>;
  /** A star or a note on one message; true when it is saved. */
  mark(sessionId: string, seq: number, marks: ItemMark): Promise<true | undefined>;
  /** Ends the session and forgets it; true when it is gone. */
  remove(sessionId: string): Promise<true | undefined>;
  /** Restores a session file that its CLI deleted. */
  restore(sessionId: string): Promise<void>;
  loadIndex(): Promise<void>;
}

/** Few people read further; a longer query finds better. */
const FOUND = 30;

export function sessionMetadata(context: StoreContext, sessionList: SessionListStore): SessionMetadata {
  const { api } = context.options;
  return {
    tags: () => api.tags().catch(() => []),
    branches: (sessionId) => api.branches(sessionId).catch(() => []),
    findSessions: (query) =>
      api.sessions({ limit: String(FOUND), ...(query !== '' && { q: query }) }).then(
        ({ sessions }) => sessions,
        () => [],
      ),
    describe: (sessionId, meta) => noticeOnError(context, describe(context, sessionList, sessionId, meta)),
    mark: (sessionId, seq, marks) => noticeOnError(context, api.mark(sessionId, seq, marks).then(done)),
    remove: (sessionId) => noticeOnError(context, api.remove(sessionId).then(done)),
    restore: (sessionId) => noticeOnError(context, restore(context, sessionId)),
    loadIndex: () =>
      api.index().then(
        (index) => context.store.setState({ index }),
        () => undefined,
      ),
  };
}

const done = (): true => true;

function applyUpdate({ store }: StoreContext, sessionList: SessionListStore, session: Session): void {
  sessionList.take({ changed: [session], deleted: [] });
  if (store.getState().sessions.has(session.id)) store.setState((state) => withSession(state, session));
}

async function describe(context: StoreContext, sessionList: SessionListStore, sessionId: string, meta: Meta): Promise<true> {
  applyUpdate(context, sessionList, await context.options.api.describe(sessionId, meta));
  context.store.setState(({ described }) => ({ described: described + 1 }));
  return true;
}

async function restore({ store, options }: StoreContext, sessionId: string): Promise<void> {
  const { paths } = await options.api.restore(sessionId);
  const text = `Restored ${countText(paths.length, 'file')}: ${paths.join(', ')}. The agent can find the conversation again.`;
  store.setState((state) => {
    const session = state.sessions.get(sessionId);
    const known = session?.past === undefined ? state : withSession(state, { ...session, past: { ...session.past, gone: false } });
    return withNotice(known, 'info', text);
  });
}
