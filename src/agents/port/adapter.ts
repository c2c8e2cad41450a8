import type { Setting } from '../../protocol/event.ts';
import type { AgentId, CommandId } from '../../protocol/ids.ts';
import type { KeptObservation, Observation, RawImage } from '../../protocol/observation.ts';
import type { Capabilities, PermissionMode, SessionOptions } from '../../protocol/session.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { AgentArchive } from './archive.ts';
import type { AgentHooks } from './hooks.ts';

/**
 * How to talk to one agent CLI. An adapter is pure: it never spawns, reads, writes or looks at a clock.
 * `State` is the fold over the agent's lines: small, plain JSON, stored with the byte offset it belongs to.
 */
export interface Adapter<State = unknown> {
  readonly id: AgentId;
  readonly title: string;
  /** Name of an icon in web/; without one, the page shows a letter. */
  readonly icon: string;
  /** Raise it whenever `translate` would fold old lines into a different state: runs are then refolded from byte 0. */
  readonly version: number;
  readonly capabilities: Capabilities;
  /** The agent reports its own capabilities (`capabilities.told`); until then, `capabilities` is our best guess. */
  readonly reportsCapabilities?: boolean;
  /** Versions of the CLI that the live suite ran with. */
  readonly verifiedWith: readonly string[];
  /** Only the engine itself starts it: it is not listed, and nobody can create or message its sessions. */
  readonly internal?: true;
  readonly locate: Locate;
  /** Flags a person may add to the command line, besides the named options. */
  readonly allowedFlags: readonly AllowedFlag[];
  /** Variables a session must not set, because they change what this agent does without asking. */
  readonly refusedEnv?: readonly RegExp[];
  /** It can be started without any tools (`noTools`). */
  readonly runsWithoutTools?: true;
  /** It can run every message as a process of its own (`transport: per-message`). */
  readonly runsPerMessage?: true;
  /** Variables that this agent sets for the programs it runs. No agent inherits them: it would believe that it runs inside this one. */
  readonly insideVariables?: readonly string[];
  /** Without this variable the agent refuses to bypass permissions as root. */
  readonly rootBypassVariable?: string;
  /** Why this version of the CLI can't run a session with these options, as a sentence. Without this function, everything over stdio is supported. */
  unsupportedReason?(options: SessionOptions, version: string | undefined, can: Capabilities): string | undefined;
  launch(context: LaunchContext): Launch;
  /** The handshake's answer names what every later line needs (such as the id of the conversation): inputs wait until the agent is ready. */
  readonly inputAfterReady?: boolean;
  initial(): State;
  /** Lines sent to a fresh process before anything else. */
  handshake(opening: SessionStart): readonly string[];
  /** One line of the agent's output, without its newline. Never throws: an unknown line becomes `unrecognised`. */
  translate(state: State, line: string): Translation<State>;
  /** The lines that carry an intent to the agent, without newlines. */
  encode(intent: SendIntent, state: State): readonly string[];
  /** The id the agent uses for an input of ours. */
  inputId(commandId: CommandId): string;
  /** What a tool call is about: a command, files, an address. */
  subjectOf(tool: string, input: Readonly<Record<string, unknown>>): Subject;
  /** It gets the run's token even though it has our tools on its two files. */
  readonly wantsRunToken?: true;
  /** Files in which people name MCP servers of their own for this agent: ours must not have the same name. */
  ownServerFiles?(where: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly options: SessionOptions }): readonly string[];
  /** The agent's own file of a session, and what it says about an input. */
  readonly memory?: AgentFile;
  /** Where the agent stores its conversations, and how to read one. */
  readonly past?: AgentPast;
  /** How its records are listed, searched and shown as they grow. */
  readonly archive?: AgentArchive;
  /** Where each running process of the agent says which conversation it has open. */
  readonly registry?: AgentRegistry;
  /** What it can report to us when it runs in a terminal, and how we answer. */
  readonly hooks?: AgentHooks;
}

export interface Translation<State> {
  readonly state: State;
  readonly observations: readonly Observation[];
  /** Lines to send back right away, through the same durable outbox as everything else. */
  readonly replies: readonly string[];
}

/** How to find the executable and ask for its version. */
export interface Locate {
  /** Environment variable that names the executable. */
  readonly variable?: string;
  /** Name of the setting in the config file; `path` by default. */
  readonly setting?: string;
  /** Names to look for on PATH and in the folders that installers use. */
  readonly names: readonly string[];
  /** Files below the home folder where this agent's own installer puts it. */
  readonly places?: readonly string[];
  /** How to install it; follows the words "To install it:". */
  readonly install?: string;
  readonly versionArgs: readonly string[];
  /** Required versions (`>=24.16 <25 || >=26.1`), in addition to what its own package.json requires. */
  readonly needs?: { readonly node: string };
  /** Explains why asking for the version failed, when the cause is known. */
  readonly explain?: (problem: string) => string | undefined;
  /** A program of ours, relative to the package root, run by this same Node. */
  readonly builtin?: string;
}

export interface AllowedFlag {
  readonly name: string;
  /** Absent when the flag takes no value; otherwise the allowed pattern, and a description of it. */
  readonly value?: { readonly fits: RegExp; readonly words: string };
}

/** What is known about a run before it is launched. */
export interface SessionStart {
  readonly cwd: string;
  readonly options: SessionOptions;
  /** `resume`: the agent already knows this session; `fork`: it copies the session under a new id. */
  readonly mode: 'new' | 'resume' | 'fork';
  /** The agent's own session id: to use (new), continue (resume), or copy from (fork). */
  readonly agentSessionId: string;
  /** The new id of a fork. */
  readonly forkSessionId?: string;
  /** The agent's own id of the message to continue after; the last one by default. */
  readonly afterMessage?: string;
  /** The agent gets our tools, under this name. */
  readonly toolServer?: string;
}

/** What is known when the process starts. */
export interface LaunchContext extends SessionStart {
  readonly executable: string;
  /**
   * What runs the executable, when it doesn't run by itself. A launch whose command is the executable gets it automatically;
   * an adapter that starts the agent through a program of ours must pass it on.
   */
  readonly interpreter?: string;
  /** Where Signalbox is installed: our own programs that wrap a CLI are below it. */
  readonly packageRoot: string;
  /** The server's environment, already cleaned. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export type SendIntent =
  | { readonly kind: 'input'; readonly commandId: CommandId; readonly text: string; readonly images: readonly RawImage[]; readonly steer: boolean }
  | { readonly kind: 'interrupt'; readonly requestId: string }
  | ({ readonly kind: 'set'; readonly commandId: CommandId } & Setting)
  /** Restore files to their state before this message; a dry run only lists them. */
  | { readonly kind: 'rewind'; readonly commandId: CommandId; readonly messageId: string; readonly dryRun: boolean }
  | { readonly kind: 'tool-answer'; readonly agentRequestId: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'answer'; readonly agentRequestId: string; readonly input: Readonly<Record<string, unknown>>; readonly verdict: Verdict };

export type Verdict =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** Suggestions from the request that go back to the agent, for this session or for as long as the agent proposed. */
      readonly granted?: { readonly suggestions: readonly Readonly<Record<string, unknown>>[]; readonly forSession: boolean };
      /** Answers to a question. */
      readonly answers?: Readonly<Record<string, string | readonly string[]>>;
      /** For a plan: the mode to continue in. */
      readonly mode?: PermissionMode;
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt: boolean };

export interface AgentFile {
  /** Path of the session's file; `*` at the start of a name, or as a folder name, matches what only the agent knows. */
  file(where: { readonly cwd: string; readonly agentSessionId: string; readonly env: Readonly<Record<string, string>> }): string;
  /** What the file says about an input: never arrived, arrived without an answer, or was answered. */
  recall(text: string, inputId: string): 'absent' | 'taken' | 'answered';
}

type Environment = Readonly<Record<string, string>>;

export interface AgentPast {
  /** The folder that contains all records. */
  root(env: Environment): string;
  /** The folder of the records that can be continued in this working folder: the root, or a folder in it. */
  folder(where: { readonly cwd: string; readonly env: Environment }): string;
  /** Records of all working folders share folders named after their start date; each record names its own working folder. */
  readonly isByTime?: true;
  /** The agent's session id of a record, by its file name; undefined for any other file. */
  idOf(fileName: string): string | undefined;
  /** Facts from the first and last part of a record; either may be cut mid-line. */
  readFacts(head: string, tail: string): PastFacts;
  /**
   * The conversation as the agent itself would continue it, read in short steps so that a long record doesn't block other work.
   * Never throws: an unknown line becomes `unrecognised`.
   */
  reading(text: string): Generator<undefined, PastRecord>;
  /** The messages of that conversation, newest first, read from the end: the last few cost little even in a long record. */
  backwards(text: string): Iterable<PastMessage>;
}

export interface PastMessage {
  /** The agent's own id of the message. */
  readonly id: string;
  /** The conversation can be continued after this message. */
  readonly canContinue: boolean;
}

export interface PastFacts {
  readonly cwd?: string;
  readonly title?: string;
  readonly model?: string;
  readonly lastAt?: string;
}

export interface PastRecord extends PastFacts {
  readonly observations: readonly KeptObservation[];
  /** The agent's own ids of the messages after which the conversation can be continued, oldest first. */
  readonly messageIds: readonly string[];
  /** The summary from the agent's last compaction. */
  readonly summary?: string;
}

export interface AgentRegistry {
  /** The folder in which each running process has a file. */
  folder(env: Environment): string;
  /** The pid in a file name; undefined for any other file. */
  pidOf(fileName: string): number | undefined;
  /** What such a file says: undefined when it names no process, `torn` when it is incomplete and so says nothing. */
  read(fileName: string, text: string): Holder | 'torn' | undefined;
}

/** A process that has a conversation open. */
export interface Holder {
  readonly agentSessionId: string;
  readonly pid: number;
  /** Start time as the process table has it: a pid alone may have been reused. */
  readonly start: string;
  readonly since?: string;
  readonly what?: string;
}
