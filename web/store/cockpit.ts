import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CreateSessionBody } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { type Client, openClient } from '../client/socket/socket.ts';
import { type Approvals, approvals } from './approvals/approvals.ts';
import { tidied } from './approvals/pending-requests.ts';
import { frameBuffer } from './frames/frame-buffer.ts';
import { loadPanel, loadPanelAgain } from './frames/panel.ts';
import { type PlanListener, planFeeds } from './plans/plan-feeds.ts';
import { type Attaching, attaching } from './sending/attachments.ts';
import { type Completions, completions } from './sending/completions.ts';
import { type Conversation, conversation } from './sending/conversation.ts';
import { type Editing, editing } from './sending/edit-queued.ts';
import { settle } from './sending/settle.ts';
import { onSignedIn, rescueUnattributed } from './sending/signed-in.ts';
import { openSessionList, type SessionListStore } from './session-list/session-list.ts';
import { loadPerson, type PersonActions, personActions } from './sessions/person.ts';
import { type RecapActions, recapActions } from './sessions/recap.ts';
import { type SessionMetadata, sessionMetadata } from './sessions/session-metadata.ts';
import { createSession, loadAgents, loadAgentsThere, loadFolders, loadProjects, loadRecent } from './sessions/sessions.ts';
import { type Steering, steering } from './sessions/steering.ts';
import { type UnreadActions, unreadActions } from './sessions/unread.ts';
import { type WindowActions, windowActions } from './sessions/window-actions.ts';
import { type AppState, initialState, type Notice } from './state/app-state.ts';
import { withLink } from './state/link-state.ts';
import { withNotice, withoutNotice } from './state/notices.ts';
import type { CockpitOptions, StoreContext } from './state/store-context.ts';

export interface Cockpit
  extends Conversation,
    WindowActions,
    SessionMetadata,
    Approvals,
    Steering,
    Editing,
    Attaching,
    Completions,
    PersonActions,
    UnreadActions,
    RecapActions {
  readonly store: StoreApi<AppState>;
  /** All sessions, live and past. */
  readonly sessionList: SessionListStore;
  loadAgents(rescan?: 'rescan'): Promise<void>;
  /** The agents of another machine. */
  loadAgentsThere(node: string): Promise<void>;
  /** Loads a folder's subfolders, or the allowed roots. */
  loadFolders(path?: string, node?: string): Promise<void>;
  createSession(body: CreateSessionBody): Promise<Session>;
  /** Calls back with a plan and everything that happens to it, until the returned function is called. */
  watchPlan(planId: string, listener: PlanListener): () => void;
  /** Shows a notice. */
  showNotice(level: Notice['level'], text: string): void;
  loadProjects(): Promise<void>;
  /** Loads recent activity; from then on the panel updates itself. */
  loadPanel(): Promise<void>;
  dismiss(noticeId: number): void;
  setExpanded(key: string, isOpen: boolean): void;
  /** The network is back, or the page is visible again. */
  nudge(): void;
  /** This browser was signed out, here or in another tab. */
  signedOut(): void;
  tick(): void;
  close(): void;
}

/** The store, the socket that feeds it, and every user action. */
export async function openCockpit(options: CockpitOptions): Promise<Cockpit> {
  const store = createStore<AppState>(() => ({ ...initialState(options.now()), ...(options.folds && { expanded: options.folds.read() }) }));
  let client: Client | undefined;
  const context: StoreContext = { options, store, client: () => client ?? closedClient };
  const recap = recapActions(context);
  const sessionList = openSessionList(options.api, options.now, options.foldedProjects);
  const feeds = planFeeds(() => context.client());
  const receive = frameBuffer(context, {
    onUpdates: (updates) => sessionList.take(updates),
    onList: () => loadPanelAgain(context),
    onWelcome: () => {
      void loadAgents(context);
      void loadRecent(context);
      void loadPerson(context);
      if (store.getState().recap === undefined) void recap.arrived();
      void sessionList.catchUp();
    },
  });
  client = await openClient({
    url: options.socketUrl,
    ...(options.key !== undefined && { key: options.key }),
    outbox: options.outbox,
    onFrame: (frame) => feeds.take(frame) || receive(frame),
    onSettled: (entry, frame) => settle(context, entry, frame),
    onSignedIn: (you, author) => onSignedIn(context, you, author),
    onUnattributed: (entry) => rescueUnattributed(context, entry),
    onLink: (link) => store.setState((state) => withLink(state, link)),
    probe: () => options.api.isSignedIn(),
    ...(options.WebSocket === undefined ? {} : { WebSocket: options.WebSocket }),
  });
  client.subscribe('*');
  const opened = client;
  return {
    store,
    sessionList,
    ...approvals(context),
    ...conversation(context),
    ...windowActions(context),
    ...sessionMetadata(context, sessionList),
    ...steering(context),
    ...editing(context),
    ...attaching(context),
    ...completions(context),
    ...personActions(context),
    watchPlan: feeds.watch,
    ...unreadActions(context),
    ...recap,
    loadAgents: (rescan) => loadAgents(context, rescan),
    loadAgentsThere: (node) => loadAgentsThere(context, node),
    loadFolders: (path, node) => loadFolders(context, path, node),
    createSession: (body) => createSession(context, body),
    loadProjects: () => loadProjects(context),
    loadPanel: () => loadPanel(context),
    showNotice: (level, text) => store.setState((state) => withNotice(state, level, text)),
    dismiss: (id) => store.setState((state) => withoutNotice(state, id)),
    setExpanded: (key, isOpen) => setExpanded(context, key, isOpen),
    nudge: () => opened.nudge(),
    signedOut: () => opened.signedOut(),
    tick: () => store.setState((state) => tidied({ ...state, now: options.now() })),
    close: () => opened.close(),
  };
}

function setExpanded({ store, options }: StoreContext, key: string, isOpen: boolean): void {
  const expanded = new Map(store.getState().expanded).set(key, isOpen);
  store.setState({ expanded });
  options.folds?.write(expanded);
}

const closedClient: Client = {
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  resubscribe: () => undefined,
  send: () => Promise.reject(new Error('the cockpit is not open yet')),
  say: () => false,
  nudge: () => undefined,
  signedOut: () => undefined,
  close: () => undefined,
};
