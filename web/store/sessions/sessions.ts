import type { CreateSessionBody } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { Desk } from '../cockpit.ts';
import { withSession } from '../frames/fold-frames.ts';

export async function loadAgents({ store, options }: Desk, anew?: 'anew'): Promise<void> {
  await options.api.agents(anew).then(
    (agents) => store.setState({ agents, agentsProblem: undefined }),
    (error: Error) => store.setState({ agentsProblem: error.message }),
  );
}

/** Throws what the server said when it refuses: the dialog stays open and shows it. */
export async function createSession({ store, options }: Desk, body: CreateSessionBody): Promise<Session> {
  const session = await options.api.createSession(body);
  store.setState((state) => withSession(state, session));
  return session;
}

/** A path that is not there (yet), as while somebody types, leaves what is shown. */
export async function loadFolders({ store, options }: Desk, path?: string): Promise<void> {
  await options.api.folders(path).then(
    (folders) => store.setState({ folders }),
    () => undefined,
  );
}

/** What is not told leaves what is shown. */
export async function loadProjects({ store, options }: Desk): Promise<void> {
  await options.api.projects().then(
    (projects) => store.setState({ projects }),
    () => undefined,
  );
}

/** Of all sessions, also those of other programs, the deck shows the latest. */
const RECENT = 30;

export async function meetRecent({ store, options }: Desk): Promise<void> {
  const page = await options.api.sessions({ limit: String(RECENT) }).catch(() => undefined);
  if (page === undefined) return;
  store.setState((state) => {
    const met = page.sessions.filter(({ id, past }) => past !== undefined && !state.sessions.has(id));
    return met.length === 0 ? state : { sessions: new Map([...state.sessions, ...met.map((session) => [session.id, session] as const)]) };
  });
}
