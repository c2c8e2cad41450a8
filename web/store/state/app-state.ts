import type { Transcript } from '../../../src/domain/transcript/transcript.ts';
import type { Role } from '../../../src/protocol/actor.ts';
import type { IndexProgress } from '../../../src/protocol/api/archive.ts';
import type { MachineList } from '../../../src/protocol/api/machines.ts';
import type { PlanNews } from '../../../src/protocol/api/plan.ts';
import type { Problem } from '../../../src/protocol/api/problem.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { ResolvedRequest, You } from '../../../src/protocol/frame.ts';
import type { AgentCommand, AgentDescription, FileNames, FolderList, Project, ProposalList, WaitingPermission } from '../../../src/protocol/http.ts';
import type { Recap, SeenMarks } from '../../../src/protocol/seen.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { Phase } from '../../client/socket/link.ts';
import type { Attachments } from '../../client/storage/attachments.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import { NO_PANEL, type PanelState } from './panel-state.ts';
import type { PersonSettings } from './person-settings.ts';

/** Whether more events exist on one side of a window, and the state of loading them. */
export type Reach = 'idle' | 'loading' | 'failed' | 'none';

/** A part of a session that is shown instead of its end. */
export interface AwayWindow {
  readonly transcript: Transcript;
  readonly older: Reach;
  readonly newer: Reach;
  /** The branch of a past session, if it isn't the one that the agent would continue. */
  readonly branch?: number;
}

/** A session whose transcript this page has. */
export interface OpenSession {
  /** The live end: the composer uses this one, whatever is on screen. */
  readonly transcript: Transcript;
  readonly older: Reach;
  readonly away?: AwayWindow;
  /** How often the page jumped to another part: each jump renders from scratch. */
  readonly jumps: number;
  /** How many messages went from here to the end of the transcript: whoever sends one wants to see it. */
  readonly sent?: number;
  /** The start of the running turn, if the window has dropped it. */
  readonly turnStart?: Event;
  /** The window isn't trimmed again before it has this many events. */
  readonly trimFrom?: number;
}

/** The part that is on screen. */
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

/** Durable, but its event hasn't reached this page yet. */
export interface Acknowledged {
  readonly entry: OutboxEntry;
  readonly seq: number;
}

/** The state of an answer given on this page. */
export type GivenAnswer =
  | { readonly phase: 'sent'; readonly behavior: 'allow' | 'deny' }
  | { readonly phase: 'durable'; readonly behavior: 'allow' | 'deny' }
  | { readonly phase: 'refused'; readonly behavior: 'allow' | 'deny'; readonly code: string; readonly message: string };

/** A decided request that stays visible for a moment, so that nothing moves under a finger. */
export interface LingeringRequest {
  readonly permission: WaitingPermission;
  readonly leftAt: number;
  /** How it ended, once known. */
  readonly resolved?: ResolvedRequest;
}

/** The files found, and for which query. */
export interface FoundFiles extends FileNames {
  readonly sessionId: string;
  readonly find: string;
}

export interface AppState {
  /** Who is signed in; unknown until the server says so. */
  readonly you: You | undefined;
  readonly phase: Phase;
  /** Whether the page was ever connected. */
  readonly wasOpen: boolean;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Up to where this person has seen sessions; undefined until the server says so. */
  readonly seen: SeenMarks | undefined;
  /** What happened while this person was away, until they dismiss it. */
  readonly recap: (Recap & { readonly until: string }) | undefined;
  /** False until the complete list has arrived once. */
  readonly listKnown: boolean;
  readonly open: ReadonlyMap<string, OpenSession>;
  readonly unsent: readonly OutboxEntry[];
  /** Commands that the browser couldn't store: their text stays in the composer until the server has it. */
  readonly pageOnly: ReadonlySet<string>;
  readonly acknowledged: readonly Acknowledged[];
  readonly permissions: readonly WaitingPermission[];
  /** False until the list has arrived once. */
  readonly permissionsKnown: boolean;
  readonly left: readonly LingeringRequest[];
  /** By request. */
  readonly answers: ReadonlyMap<string, GivenAnswer>;
  /** The rules that an approval could create, by request. */
  readonly proposals: ReadonlyMap<string, ProposalList>;
  /** Plans that aren't in the request itself, by request. */
  readonly plans: ReadonlyMap<string, string>;
  /** What this user may do; undefined until loaded. */
  readonly role: Role | undefined;
  /** Last user input on the list of requests. */
  readonly userInputAt: number;
  readonly agents: readonly AgentDescription[] | undefined;
  readonly agentsProblem: string | undefined;
  /** Folders with sessions, most recently used first; undefined until loaded. */
  readonly projects: readonly Project[] | undefined;
  /** The machines of the cluster; undefined without one, or until the server says so. */
  readonly machines: MachineList | undefined;
  /** Agents of another machine, for a new session there. */
  readonly agentsThere: { readonly node: string; readonly agents: readonly AgentDescription[] } | undefined;
  /** The folder being browsed for a new session. */
  readonly folders: FolderList | undefined;
  /** This user's settings on the server; undefined until loaded. */
  readonly person: PersonSettings | undefined;
  /** Slash commands of a session's agent, where loaded. */
  readonly commands: ReadonlyMap<string, readonly AgentCommand[]>;
  /** Files that match the word being typed. */
  readonly found: FoundFiles | undefined;
  readonly drafts: ReadonlyMap<string, string>;
  /** Images and file references attached to a session's draft. */
  readonly attached: ReadonlyMap<string, Attachments>;
  /** Why the last message of a session was refused. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly notices: readonly Notice[];
  /** What doesn't work on the server, as last reported. */
  readonly problems: readonly Problem[];
  /** Progress of importing session files; undefined until loaded. */
  readonly index: IndexProgress | undefined;
  /** What the panel shows. */
  readonly panel: PanelState;
  /** Plans that are open or changed recently, by id. */
  readonly planNews: ReadonlyMap<string, PlanNews>;
  /** How often this page changed a session's metadata: the tags in use are loaded again then. */
  readonly described: number;
  /** Sessions that don't exist on the server. */
  readonly missing: ReadonlySet<string>;
  /** Cards that the user expanded or collapsed, by item key; scrolling away keeps it. */
  readonly expanded: ReadonlyMap<string, boolean>;
  /** The clock for all relative times. */
  readonly now: number;
  /** Since when the page is disconnected; unset while connected and before the first connection. */
  readonly disconnectedSince: number | undefined;
}

/** The clock for running activity: it stops while the page is disconnected. */
export const activityNow = ({ now, disconnectedSince }: AppState): number => disconnectedSince ?? now;

/** The same in server time, for the panel. */
export const panelNow = (state: AppState): number => activityNow(state) + state.panel.aheadMs;

export const initialState = (now: number): AppState => ({
  you: undefined,
  phase: { name: 'waiting', retryAt: now },
  wasOpen: false,
  sessions: new Map(),
  seen: undefined,
  recap: undefined,
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
  userInputAt: 0,
  agents: undefined,
  agentsProblem: undefined,
  projects: undefined,
  machines: undefined,
  agentsThere: undefined,
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
  planNews: new Map(),
  described: 0,
  missing: new Set(),
  expanded: new Map(),
  now,
  disconnectedSince: undefined,
});
