import type { Transcript } from '../../src/domain/transcript/transcript.ts';
import type { AgentDescription, FolderList, WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import type { Attachments } from '../client/attachments.ts';
import type { Phase } from '../client/link.ts';
import type { OutboxEntry } from '../client/outbox.ts';

/** A session whose transcript this page holds. */
export interface OpenSession {
  readonly transcript: Transcript;
  readonly older: 'idle' | 'loading' | 'failed';
}

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

export interface AppState {
  readonly phase: Phase;
  /** Whether there was ever a connection since the page was loaded. */
  readonly wasOpen: boolean;
  readonly sessions: ReadonlyMap<string, Session>;
  /** False until the server has told the whole list once. */
  readonly listKnown: boolean;
  readonly open: ReadonlyMap<string, OpenSession>;
  readonly unsent: readonly OutboxEntry[];
  readonly acknowledged: readonly Acknowledged[];
  readonly permissions: readonly WaitingPermission[];
  readonly agents: readonly AgentDescription[] | undefined;
  readonly agentsProblem: string | undefined;
  /** The folder that is being looked into for a new session. */
  readonly folders: FolderList | undefined;
  readonly drafts: ReadonlyMap<string, string>;
  /** Pictures and places that go along with the draft of a session. */
  readonly attached: ReadonlyMap<string, Attachments>;
  /** Why the last message of a session was refused. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly notices: readonly Notice[];
  /** Sessions that the server says do not exist. */
  readonly missing: ReadonlySet<string>;
  /** Cards a person opened or closed, by item key; a row that scrolls away forgets nothing. */
  readonly expanded: ReadonlyMap<string, boolean>;
  /** The clock of everything that says how long ago. */
  readonly now: number;
}

export const initialState = (now: number): AppState => ({
  phase: { name: 'waiting', retryAt: now },
  wasOpen: false,
  sessions: new Map(),
  listKnown: false,
  open: new Map(),
  unsent: [],
  acknowledged: [],
  permissions: [],
  agents: undefined,
  agentsProblem: undefined,
  folders: undefined,
  drafts: new Map(),
  attached: new Map(),
  refusals: new Map(),
  notices: [],
  missing: new Set(),
  expanded: new Map(),
  now,
});
