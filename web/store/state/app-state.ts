import type { Transcript } from '../../../src/domain/transcript/transcript.ts';
import type { Role } from '../../../src/protocol/actor.ts';
import type { IndexProgress } from '../../../src/protocol/api/archive.ts';
import type { Problem } from '../../../src/protocol/api/problem.ts';
import type { Event, EventOf } from '../../../src/protocol/event.ts';
import type { You } from '../../../src/protocol/frame.ts';
import type { AgentCommand, AgentDescription, FolderList, Project, ProposalList, WaitingPermission } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { Phase } from '../../client/socket/link.ts';
import type { Attachments } from '../../client/storage/attachments.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import { NO_PANEL, type PanelState } from '../frames/panel.ts';
import type { FoundFiles } from '../sending/completing.ts';
import type { PersonKept } from '../sessions/person.ts';

/** Whether there is more on one side of a window, and what became of fetching it. */
export type Reach = 'idle' | 'loading' | 'failed' | 'none';

/** A stretch of a session that is looked at instead of its end. */
export interface AwayWindow {
  readonly transcript: Transcript;
  readonly older: Reach;
  readonly newer: Reach;
  /** The way through a past session that is looked at, when it is not the one with which the agent would go on. */
  readonly branch?: number;
}

/** A session whose transcript this page holds. */
export interface OpenSession {
  /** Its newest end, as it grows: the composer speaks of this one, wherever a person looks. */
  readonly transcript: Transcript;
  readonly older: Reach;
  readonly away?: AwayWindow;
  /** How often the page went to another place of it at one stroke: what is drawn begins anew there. */
  readonly jumps: number;
  /** Where the turn that runs began, when the window has let go of that. */
  readonly began?: Event;
  /** The window is not looked at again for what it may let go of before it has so many events. */
  readonly holds?: number;
}

/** What of the session is on the screen. */
export const shownOf = (opened: OpenSession): Transcript => opened.away?.transcript ?? opened.transcript;

export const shownIn = (state: AppState, sessionId: string): Transcript | undefined => {
  const opened = state.open.get(sessionId);
  return opened === undefined ? undefined : shownOf(opened);
};

export interface Notice {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Durable, but its event has not reached this page yet. */
export interface Acknowledged {
  readonly entry: OutboxEntry;
  readonly seq: number;
}

/** What became of an answer that was given here. */
export type GivenAnswer =
  | { readonly phase: 'sent'; readonly behavior: 'allow' | 'deny' }
  | { readonly phase: 'durable'; readonly behavior: 'allow' | 'deny' }
  | { readonly phase: 'refused'; readonly behavior: 'allow' | 'deny'; readonly code: string; readonly message: string };

/** A request that no longer waits but is still shown for a moment, so that nothing moves under a finger. */
export interface LeftRequest {
  readonly permission: WaitingPermission;
  readonly leftAt: number;
  /** How it ended, as soon as that is known. */
  readonly resolved?: EventOf<'permission.resolved'>;
}

export interface AppState {
  /** Who looks at the page; unknown until the server has said it. */
  readonly you: You | undefined;
  readonly phase: Phase;
  /** Whether there was ever a connection since the page was loaded. */
  readonly wasOpen: boolean;
  readonly sessions: ReadonlyMap<string, Session>;
  /** False until the server has told the whole list once. */
  readonly listKnown: boolean;
  readonly open: ReadonlyMap<string, OpenSession>;
  readonly unsent: readonly OutboxEntry[];
  /** Commands that the browser could not keep: their words stay in the composer until the server has them. */
  readonly pageOnly: ReadonlySet<string>;
  readonly acknowledged: readonly Acknowledged[];
  readonly permissions: readonly WaitingPermission[];
  /** False until the list was told once. */
  readonly permissionsKnown: boolean;
  readonly left: readonly LeftRequest[];
  /** By request. */
  readonly answers: ReadonlyMap<string, GivenAnswer>;
  /** As what a request could be remembered, by request. */
  readonly proposals: ReadonlyMap<string, ProposalList>;
  /** Plans that the request itself does not carry, by request. */
  readonly plans: ReadonlyMap<string, string>;
  /** What this person may do; undefined until it is asked for and told. */
  readonly role: Role | undefined;
  /** When a hand was last on the list of what waits. */
  readonly handAt: number;
  readonly agents: readonly AgentDescription[] | undefined;
  readonly agentsProblem: string | undefined;
  /** Folders that have sessions, newest use first; undefined until they are asked for and told. */
  readonly projects: readonly Project[] | undefined;
  /** The folder that is being looked into for a new session. */
  readonly folders: FolderList | undefined;
  /** What this person keeps on the server; undefined until it is told. */
  readonly person: PersonKept | undefined;
  /** What the agent of a session takes after a slash, where it was asked for. */
  readonly commands: ReadonlyMap<string, readonly AgentCommand[]>;
  /** Files for the word that is being typed. */
  readonly found: FoundFiles | undefined;
  readonly drafts: ReadonlyMap<string, string>;
  /** Pictures and places that go along with the draft of a session. */
  readonly attached: ReadonlyMap<string, Attachments>;
  /** Why the last message of a session was refused. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly notices: readonly Notice[];
  /** What doesn't work on the server now, as last heard. */
  readonly problems: readonly Problem[];
  /** How far the reading of all records has come; undefined until it is told. */
  readonly index: IndexProgress | undefined;
  /** What the panel draws. */
  readonly panel: PanelState;
  /** How often this page has kept something of a session: tags in use are told anew then. */
  readonly described: number;
  /** Sessions that the server says do not exist. */
  readonly missing: ReadonlySet<string>;
  /** Cards a person opened or closed, by item key; a row that scrolls away forgets nothing. */
  readonly expanded: ReadonlyMap<string, boolean>;
  /** The clock of everything that says how long ago. */
  readonly now: number;
  /** Since when nothing has been heard of the server; unset while there is a connection, and before the first. */
  readonly silentSince: number | undefined;
}

/** The clock of everything that goes on: it stands while nobody can know whether it still does. */
export const heardUntil = ({ now, silentSince }: AppState): number => silentSince ?? now;

/** The same by the server's clock, for the panel. */
export const panelNow = (state: AppState): number => heardUntil(state) + state.panel.aheadMs;

export const initialState = (now: number): AppState => ({
  you: undefined,
  phase: { name: 'waiting', retryAt: now },
  wasOpen: false,
  sessions: new Map(),
  listKnown: false,
  open: new Map(),
  unsent: [],
  pageOnly: new Set(),
  acknowledged: [],
  permissions: [],
  permissionsKnown: false,
  left: [],
  answers: new Map(),
  proposals: new Map(),
  plans: new Map(),
  role: undefined,
  handAt: 0,
  agents: undefined,
  agentsProblem: undefined,
  projects: undefined,
  folders: undefined,
  person: undefined,
  commands: new Map(),
  found: undefined,
  drafts: new Map(),
  attached: new Map(),
  refusals: new Map(),
  notices: [],
  problems: [],
  index: undefined,
  panel: NO_PANEL,
  described: 0,
  missing: new Set(),
  expanded: new Map(),
  now,
  silentSince: undefined,
});
