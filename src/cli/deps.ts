import type { Role } from '../protocol/actor.ts';
import type { AgentDescription } from '../protocol/http.ts';

/** The settings that commands look at; the rest passes through to `serve`. */
export interface CliConfig {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
  /** Every setting by its name, and who decided it, for doctor. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly from: Readonly<Record<string, string>>;
}

interface TokenDesk {
  /** Makes one and returns it: the only time it can be shown. Throws with words when the name is taken or bad. */
  add(dataDir: string, name: string, role: Role): string;
  list(dataDir: string): readonly { readonly name: string; readonly role: Role; readonly createdAt: string }[];
  /** False when there is none of that name. */
  revoke(dataDir: string, name: string): boolean;
}

/** What a command line runs in. `main.ts` gives the real ones; a test gives its own. */
export interface CliDeps<C extends CliConfig = CliConfig> {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Runs `handler` at every Ctrl-C until the way out is called. */
  onInterrupt(handler: () => void): () => void;
  /** Flags by the names of the settings, undefined when not given. Throws an error whose message is for people. */
  loadConfig(flags: Readonly<Record<string, unknown>>): C;
  /** Runs the server until it is told to stop; the exit code. */
  serve(config: C): Promise<number>;
  /** Restores the databases from the files; the lines say what was done. */
  rebuild(config: C): Promise<readonly string[]>;
  /** Agents as this machine has them, for doctor. */
  agents(config: C): Promise<readonly AgentDescription[]>;
  readonly tokens: TokenDesk;
  /** Where the built web files are expected. */
  readonly webDir: string;
}

export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}
