import type { CreateSessionBody } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { withSession } from '../frames/fold-frames.ts';
import type { StoreContext } from '../state/store-context.ts';

export async function loadAgents({ store, options }: StoreContext, rescan?: 'rescan'): Promise<void> {
  await options.api.agents(rescan).then(
    (agents) => store.setState({ agents, agentsProblem: undefined }),
    (error: Error) => store.setState({ agentsProblem: error.message }),
  );
}

/** Throws the server's message if it refuses: the dialog stays open and shows it. */
export async function createSession({ store, options }: StoreContext, body: CreateSessionBody): Promise<Session> {
  const session = await options.api.createSession(body);
  store.setState((state) => withSession(state, session));
  return session;
}

/** What can be started on another machine. */
export async function loadAgentsThere({ store, options }: StoreContext, node: string): Promise<void> {
  await options.api.agents(undefined, node).then(
    (agents) => store.setState({ agentsThere: { node, agents }, agentsProblem: undefined }),
    (error: Error) => store.setState({ agentsProblem: error.message }),
  );
}

/** A path that doesn't exist yet, as while someone types, changes nothing. */
export async function loadFolders({ store, options }: StoreContext, path?: string, node?: string): Promise<void> {
  await options.api.folders(path, node).then(
    (folders) => store.setState({ folders }),
    () => undefined,
  );
}

/** A failure leaves the list unchanged. */
export async function loadProjects({ store, options }: StoreContext): Promise<void> {
  await options.api.projects().then(
    (projects) => store.setState({ projects }),
    () => undefined,
  );
}

/** The deck shows the latest of all sessions, including those of other programs. */
const RECENT = 30;

export async function loadRecent({ store, options }: StoreContext): Promise<void> {
  const page = await options.api.sessions({ limit: String(RECENT) }).catch(() => undefined);
  if (page === undefined) return;
  store.setState((state) => {
    const added = page.sessions.filter(({ id, past }) => past !== undefined && !state.sessions.has(id));
    return added.length === 0 ? state : { sessions: new Map([...state.sessions, ...added.map((session) => [session.id, session] as const)]) };
  });
}
