import type { Adapter } from '../agents/adapter.ts';
import type { PastPort } from '../archive/past-sessions-port.ts';
import type { Host } from '../host/host.ts';
import type { Journal } from '../journal/journal.ts';
import type { Problems } from '../problems/problems.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';
import type { Graces } from './loop/deadlines.ts';

/** Everything the engine needs; main.ts chooses it. */
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
  /** The environment that processes of an agent inherit, already without anything of ours: the same object each time. */
  readonly envFor: (agent: AgentId) => Readonly<Record<string, string>>;
  /** Where copies of the journal are put. */
  readonly backupFolder: string;
  /** Other programs' sessions; without it only conversations of ours are known, and others are copied when somebody goes on with them. */
  readonly past?: PastPort;
  /** Reads a file of an agent's own; undefined when there is none. */
  readonly readAgentFile: (path: string) => Promise<string | undefined>;
  /** Environment that a person gave to one session: kept apart from events, because it may hold secrets. */
  readonly secrets: SessionSecrets;
  /** Tells lists that a session looks different now, at this position of the journal. */
  readonly onSummary: (session: Session | SessionId, position: number) => void;
  readonly log: Log;
  /** Told what fails outside a request and is tried again. */
  readonly problems: Problems;
}

export interface EngineSettings {
  readonly maxLive: number;
  /** Above this sum of all agents' memory idle ones are put to sleep and no more are started. 0: no such bound. */
  readonly maxMemoryBytes: number;
  /** How often memory is measured; 5 s unless said otherwise. */
  readonly memoryEveryMs?: number;
  readonly idleMinutes: number;
  /** Real paths of folders in which sessions may run. */
  readonly roots: readonly string[];
  /** Real path of our own data folder. */
  readonly dataFolder: string;
  /** How long a fresh run may print nothing before its error output is shown. */
  readonly silentStartMs?: number;
  /** Whether a session may bypass all permissions. */
  readonly allowBypass: boolean;
  readonly graces: Graces;
}

export interface Machine {
  readonly node: string;
  readonly hostname: string;
  readonly platform: string;
  /** Whether this server, and so its agents, run as the user who may do everything. */
  readonly isRoot: boolean;
}

export interface SessionSecrets {
  put(session: SessionId, env: Readonly<Record<string, string>>): Promise<void>;
  get(session: SessionId): Promise<Readonly<Record<string, string>>>;
  forget(session: SessionId): Promise<void>;
}

/** Finds an agent's executable and asks its version. */
export interface Locator {
  /** Its version is asked once per file as it is now, or `anew`. */
  find(adapter: Adapter, anew?: 'anew'): Promise<Located>;
  /** Where the package lies, and programs of ours below it. */
  readonly packageRoot: string;
}

/** What runs a program that does not run by itself, or not well enough. */
export interface Interpreter {
  readonly path: string;
  readonly foundBy: string;
  readonly version?: string;
  /** The program is a script that starts another one: its folder goes first on PATH, and the program is run as it is. */
  readonly isOnPath?: true;
}

/** `foundBy`: the variable, PATH, or the installer in whose place it lies. */
export type Located =
  | { readonly available: true; readonly path: string; readonly foundBy?: string; readonly version?: string; readonly interpreter?: Interpreter }
  | { readonly available: false; readonly problem: string; readonly path?: string; readonly foundBy?: string };

export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
