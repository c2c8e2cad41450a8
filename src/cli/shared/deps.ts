import type { Role } from '../../protocol/actor.ts';
import type { AgentDescription } from '../../protocol/http.ts';

/** The settings that commands read; the rest passes through to `serve`. */
export interface CliConfig {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
  /** Every setting by name and where its value comes from, for doctor. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly from: Readonly<Record<string, string>>;
}

interface TokenManager {
  /** Creates a token and returns it, the only time it can be shown. Throws `TokenProblem` when the name is taken or invalid. */
  add(dataDir: string, name: string, role: Role): string;
  list(dataDir: string): readonly { readonly name: string; readonly role: Role; readonly createdAt: string }[];
  /** False when there is no token with that name. */
  revoke(dataDir: string, name: string): boolean;
}

/** What a recording comes to, and the first event that differs from what was recorded. */
interface Replayed {
  readonly events: readonly unknown[];
  readonly difference: { readonly at: number; readonly recorded: unknown; readonly replayed: unknown } | undefined;
}

/** What a command needs from outside: the real parts come from `main.ts`, others from tests. */
export interface CliDeps<C extends CliConfig = CliConfig> {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** When both input and output are a terminal. */
  readonly terminal?: Terminal | undefined;
  /** Runs `handler` at every Ctrl-C until the returned function is called. */
  onInterrupt(handler: () => void): () => void;
  /** Flags by setting name, undefined when absent. Throws `ConfigProblem`, whose message is for people. */
  loadConfig(flags: Readonly<Record<string, unknown>>): C;
  /** Runs the server until a signal stops it; returns the exit code. */
  serve(config: C): Promise<number>;
  /** Restores the databases from the files; returns lines that say what was done. */
  rebuild(config: C): Promise<readonly string[]>;
  /** Reads a recording through today's adapters. */
  replay(config: C, lines: AsyncIterable<string>): Promise<Replayed>;
  /** Compares the journal with the files; returns lines that say how they differ. */
  checkJournal(config: C): Promise<{ readonly isSame: boolean; readonly lines: readonly string[] }>;
  /** The agents on this machine, for doctor. */
  agents(config: C): Promise<readonly AgentDescription[]>;
  readonly tokens: TokenManager;
  /** Agents with hooks, the program that hooks start, and the Node that runs it. */
  readonly hooks: { readonly agents: readonly HookAgent[]; readonly program: string; readonly node: string };
  /** The script that runs: `bin/signalbox.mjs` of this package. */
  readonly script: string;
  /** Where the built web files should be. */
  readonly webDir: string;
}

/** An agent with hooks, as its adapter describes them. */
export interface HookAgent {
  readonly id: string;
  readonly title: string;
  readonly hooks: {
    settingsFile(env: Readonly<Record<string, string | undefined>>): string;
    readonly registrations: readonly { readonly path: readonly [string, string]; readonly does: string; readonly timeoutSeconds: number }[];
    entry(command: string, timeoutSeconds: number): object;
    readonly limits: readonly string[];
    obstacle(settings: unknown): string | undefined;
  };
}

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}
