import type { Adapter } from '../../agents/port/adapter.ts';
import type { PastSessionsPort } from '../../archive/past-sessions-port.ts';
import type { Checkpoints } from '../../git/checkpoints.ts';
import type { Host } from '../../host/host.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Log } from '../../problems/log.ts';
import type { Problems } from '../../problems/problems.ts';
import type { Locator } from '../../programs/located.ts';
import type { AgentId, RunId, SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Graces } from './deadlines.ts';

/** Everything the engine needs; open-app.ts wires it. */
export interface EngineDeps {
  readonly journal: Journal;
  readonly host: Host;
  readonly adapters: ReadonlyMap<AgentId, Adapter>;
  readonly locator: Locator;
  readonly settings: EngineSettings;
  readonly machine: Machine;
  readonly now: () => Date;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** The environment that an agent's processes inherit, without our own variables. Returns the same object each time. */
  readonly envFor: (agent: AgentId) => Readonly<Record<string, string>>;
  /** Variables with which a run's agent reaches this server, in its own name. */
  readonly runAccess?: (run: RunId) => Readonly<Record<string, string>>;
  /** Folder for copies of the journal. */
  readonly backupFolder: string;
  /** Other programs' sessions. Without it only our own conversations are known, and others are copied when someone continues them. */
  readonly past?: PastSessionsPort;
  /** Reads one of the agent's own files; undefined when it doesn't exist. */
  readonly readAgentFile: (path: string) => Promise<string | undefined>;
  /** The environment that a person set for one session. Stored separately from events, because it can contain secrets. */
  readonly secrets: SessionSecrets;
  /** Updates the session list: the session changed at this position of the journal. */
  readonly onSummary: (session: Session | SessionId, position: number) => void;
  /** Opens the checkpoints of sessions' files, at their first use. Without it none are made. */
  readonly openCheckpoints?: () => Promise<Checkpoints>;
  readonly log: Log;
  /** Collects what fails outside a request and is retried. */
  readonly problems: Problems;
}

export interface EngineSettings {
  readonly maxLive: number;
  /** Scripts and long git acts that run at once; they take no slot of an agent. */
  readonly maxCommands: number;
  /** When all agents together use more memory than this, idle ones are put to sleep and none are started. 0 means no limit. */
  readonly maxMemoryBytes: number;
  /** How often memory is measured; 5 s by default. */
  readonly memoryEveryMs?: number;
  /** How often ports of open sessions are looked for; 2 s by default. */
  readonly portsEveryMs?: number;
  readonly idleMinutes: number;
  /** Real paths of folders in which sessions may run. */
  readonly roots: readonly string[];
  /** Where worktrees of sessions are made. */
  readonly worktreesFolder: string;
  /** Real path of our own data folder. */
  readonly dataFolder: string;
  /** How long a fresh run may print nothing before its error output is shown. */
  readonly silentStartMs?: number;
  /** Whether a session may bypass all permissions. */
  readonly allowBypass: boolean;
  /** False: no agent gets our tools. */
  readonly agentTools?: boolean;
  /** What all checkpoints together may take on disk; 2 GB by default. */
  readonly checkpointBytes?: number;
  readonly graces: Graces;
  /** How long a message is lent to a program that polls, before the record decides. */
  readonly leaseMs?: number;
}

export interface Machine {
  readonly node: string;
  readonly hostname: string;
  readonly platform: string;
  /** Whether this server, and therefore its agents, run as root. */
  readonly isRoot: boolean;
}

export interface SessionSecrets {
  put(session: SessionId, env: Readonly<Record<string, string>>): Promise<void>;
  get(session: SessionId): Promise<Readonly<Record<string, string>>>;
  forget(session: SessionId): Promise<void>;
}
