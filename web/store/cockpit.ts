import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CreateSessionBody } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import type { Api } from '../client/http/api.ts';
import type { SettlingFrame } from '../client/socket/link.ts';
import { type Client, openClient } from '../client/socket/socket.ts';
import type { AttachmentStore } from '../client/storage/attachments.ts';
import type { Drafts } from '../client/storage/drafts.ts';
import type { Folds } from '../client/storage/folds.ts';
import type { Outbox, OutboxEntry } from '../client/storage/outbox.ts';
import { type Approvals, approvals } from './approvals/approvals.ts';
import { tidied } from './approvals/waiting.ts';
import { frameBuffer } from './frames/frame-buffer.ts';
import { loadPanel, loadPanelAgain } from './frames/panel.ts';
import { type Attaching, attaching, giveBackAttachments } from './sending/attachments.ts';
import { type Completing, completing } from './sending/completing.ts';
import { type Conversation, conversation } from './sending/conversation.ts';
import { settlePageOnly, storedDraft } from './sending/draft.ts';
import { type Editing, editing } from './sending/editing.ts';
import { settle } from './sending/settle.ts';
import { rescueDisowned, takeSeat } from './sending/signed-in.ts';
import { type Library, openLibrary } from './session-list/session-list.ts';
import { type Keeping, keeping } from './sessions/keeping.ts';
import { type Looking, looking } from './sessions/looking.ts';
import { meetPerson, type PersonDesk, personDesk } from './sessions/person.ts';
import { createSession, loadAgents, loadFolders, loadProjects, meetRecent } from './sessions/sessions.ts';
import { type Steering, steering } from './sessions/steering.ts';
import { type AppState, initialState, type Notice } from './state/app-state.ts';
import { withLink } from './state/link-state.ts';
import { withNotice, withoutNotice } from './state/notices.ts';

export interface CockpitOptions {
  readonly socketUrl: string;
  /** The key of this browser's sign-in; a program has none. */
  readonly key?: () => Promise<string | undefined>;
  readonly api: Api;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  /** Without it a reload folds everything as it was at first. */
  readonly folds?: Folds;
  readonly foldedProjects?: Folds;
  /** Without it the page keeps attachments by itself. */
  readonly attachments?: AttachmentStore;
  /** Calls back when it is time to draw, at the earliest after so many milliseconds. */
  readonly schedule: (draw: () => void, afterMs: number) => void;
  /** For how long the letter that somebody has just typed still needs the page for itself. */
  readonly typingMs?: () => number;
  readonly newId: () => string;
  readonly now: () => number;
  readonly WebSocket?: typeof WebSocket;
}

export interface Cockpit extends Conversation, Looking, Keeping, Approvals, Steering, Editing, Attaching, Completing, PersonDesk {
  readonly store: StoreApi<AppState>;
  /** All sessions, live and past. */
  readonly library: Library;
  loadAgents(anew?: 'anew'): Promise<void>;
  /** Looks into a folder of the server, or at the allowed ones. */
  loadFolders(path?: string): Promise<void>;
  createSession(body: CreateSessionBody): Promise<Session>;
  /** Answers a hand, in words. */
  tell(level: Notice['level'], text: string): void;
  loadProjects(): Promise<void>;
  /** Asks what all lines did lately; from then on the panel is kept up by itself. */
  loadPanel(): Promise<void>;
  dismiss(noticeId: number): void;
  setExpanded(key: string, isOpen: boolean): void;
  /** The network is back, or the page is looked at again. */
  nudge(): void;
  /** Somebody signed this browser out, here or in another tab. */
  signedOut(): void;
  tick(): void;
  close(): void;
}

/** What the parts of the cockpit share. */
export interface Desk {
  readonly options: CockpitOptions;
  readonly store: StoreApi<AppState>;
  readonly client: () => Client;
}

/** The store, the socket that feeds it, and everything a person can do with them. */
export async function openCockpit(options: CockpitOptions): Promise<Cockpit> {
  const store = createStore<AppState>(() => ({ ...initialState(options.now()), ...(options.folds && { expanded: options.folds.read() }) }));
  let client: Client | undefined;
  const desk: Desk = { options, store, client: () => client ?? closedClient };
  const asks = approvals(desk);
  const library = openLibrary(options.api, options.now, options.foldedProjects);
  const receive = frameBuffer(desk, {
    onAsks: () => void asks.refreshPermissions(),
    onNews: (news) => library.take(news),
    onList: () => loadPanelAgain(desk),
    onWelcome: () => {
      void loadAgents(desk);
      void meetRecent(desk);
      void meetPerson(desk);
      void library.catchUp();
    },
  });
  client = await openClient({
    url: options.socketUrl,
    ...(options.key !== undefined && { key: options.key }),
    outbox: options.outbox,
    onFrame: receive,
    onSettled: (entry, frame) => settled(desk, asks, entry, frame),
    onSeated: (you, author) => takeSeat(desk, you, author),
    onDisowned: (entry) => rescueDisowned(desk, entry),
    onLink: (link) => store.setState((state) => withLink(state, link)),
    probe: () => options.api.isSignedIn(),
    ...(options.WebSocket === undefined ? {} : { WebSocket: options.WebSocket }),
  });
  client.subscribe('*');
  const opened = client;
  return {
    store,
    library,
    ...asks,
    ...conversation(desk),
    ...looking(desk),
    ...keeping(desk, library),
    ...steering(desk),
    ...editing(desk),
    ...attaching(desk),
    ...completing(desk),
    ...personDesk(desk),
    loadAgents: (anew) => loadAgents(desk, anew),
    loadFolders: (path) => loadFolders(desk, path),
    createSession: (body) => createSession(desk, body),
    loadProjects: () => loadProjects(desk),
    loadPanel: () => loadPanel(desk),
    tell: (level, text) => store.setState((state) => withNotice(state, level, text)),
    dismiss: (id) => store.setState((state) => withoutNotice(state, id)),
    setExpanded: (key, isOpen) => setExpanded(desk, key, isOpen),
    nudge: () => opened.nudge(),
    signedOut: () => opened.signedOut(),
    tick: () => store.setState((state) => tidied({ ...state, now: options.now() })),
    close: () => opened.close(),
  };
}

function setExpanded({ store, options }: Desk, key: string, isOpen: boolean): void {
  const expanded = new Map(store.getState().expanded).set(key, isOpen);
  store.setState({ expanded });
  options.folds?.write(expanded);
}

/** Resolves when what was refused is stored as a draft again. */
async function settled(desk: Desk, asks: Approvals, entry: OutboxEntry, frame: SettlingFrame): Promise<void> {
  const { store } = desk;
  const wasKept = !store.getState().pageOnly.has(entry.commandId);
  // The session of a refused message may not have been opened in this page: its draft must not be written over.
  if (frame.type === 'refused') store.setState((state) => ({ drafts: new Map(state.drafts).set(entry.sessionId, storedDraft(desk, entry.sessionId)) }));
  store.setState((state) => settle(state, entry, frame));
  settlePageOnly(desk, entry, frame.type === 'ack');
  if (entry.frame.type === 'permission') return void asks.refreshPermissions();
  if (frame.type !== 'refused' || !wasKept) return;
  const { you, drafts } = store.getState();
  if (you !== undefined) desk.options.drafts.set(you.id, entry.sessionId, drafts.get(entry.sessionId) ?? '');
  await giveBackAttachments(desk, entry);
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
