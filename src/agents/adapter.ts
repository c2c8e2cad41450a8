import type { Setting } from '../protocol/event.ts';
import type { AgentId, CommandId } from '../protocol/ids.ts';
import type { KeptObservation, Observation, RawImage } from '../protocol/observation.ts';
import type { Capabilities, PermissionMode, SessionOptions } from '../protocol/session.ts';
import type { Subject } from '../protocol/subject.ts';
import type { AgentArchive } from './archive.ts';

/**
 * The grammar of one agent CLI. An adapter never spawns, reads, writes or looks at a clock: all of it is pure.
 * `State` is the fold over the agent's lines: small, plain JSON, stored with the byte offset it belongs to.
 */
export interface Adapter<State = unknown> {
  readonly id: AgentId;
  readonly title: string;
  /** Name of an icon in web/; a letter is drawn when there is none. */
  readonly icon: string;
  /** Raised whenever `translate` would fold old lines into another state: runs are then refolded from byte 0. */
  readonly version: number;
  readonly capabilities: Capabilities;
  /** It says itself what it can do (`capabilities.told`); until it has, `capabilities` is what may be hoped for. */
  readonly tellsCapabilities?: boolean;
  /** Versions of the CLI that the live suite ran with. */
  readonly verifiedWith: readonly string[];
  readonly locate: Locate;
  /** What a person may put on its command line beside the options that have names. */
  readonly allowedFlags: readonly AllowedFlag[];
  /** Variables that a session may not set, because they change what this agent does without asking. */
  readonly refusedEnv?: readonly RegExp[];
  /** The variable without which it refuses to bypass permissions as root. */
  readonly rootBypassVariable?: string;
  /** Why a session with these options cannot run with this version of the CLI, in words; without this function, all can that speak over stdio. */
  objection?(options: SessionOptions, version: string | undefined, can: Capabilities): string | undefined;
  launch(context: LaunchContext): Launch;
  /** Its answer to the greeting names what every later line needs (the id of a conversation that it makes itself): inputs wait until it is ready. */
  readonly inputAfterReady?: boolean;
  initial(): State;
  /** Lines to give a fresh process before anything else (a handshake). */
  greet(opening: Opening): readonly string[];
  /** One line of the agent's output, without its newline. Never throws: what it does not know is `unrecognised`. */
  translate(state: State, line: string): Translation<State>;
  /** The lines that carry an intent to the agent, without newlines. */
  encode(intent: SendIntent, state: State): readonly string[];
  /** The id under which the agent will speak of an input of ours. */
  inputId(commandId: CommandId): string;
  /** What a call of one of its tools is about. */
  subjectOf(tool: string, input: Readonly<Record<string, unknown>>): Subject;
  /** Where the agent keeps its own memory of a session, and what that memory says about an input. */
  readonly memory?: AgentMemory;
  /** Where the agent keeps all its conversations, and how one is read. */
  readonly past?: AgentPast;
  /** How all its records are listed, searched and shown, as they grow. */
  readonly archive?: AgentArchive;
  /** Where every living process of the agent says which conversation it holds. */
  readonly registry?: AgentRegistry;
}

export interface Translation<State> {
  readonly state: State;
  readonly observations: readonly Observation[];
  /** Lines to send back at once, by the same durable path as everything else. */
  readonly replies: readonly string[];
}

/** How the executable is found and asked for its version. */
export interface Locate {
  /** Environment variable that names the executable. */
  readonly variable?: string;
  /** What the setting in the config file is called that names it; `path` unless said otherwise. */
  readonly setting?: string;
  /** Names to look for on PATH and where installers put programs. */
  readonly names: readonly string[];
  /** Files below the home folder where this agent's own installer puts it. */
  readonly places?: readonly string[];
  /** What a person does to have it, in words that follow "To install it:". */
  readonly install?: string;
  readonly versionArgs: readonly string[];
  /** What it does not run without, as a range of versions (`>=24.16 <25 || >=26.1`); what its own package says is heeded besides. */
  readonly needs?: { readonly node: string };
  /** What is behind the words with which the program failed to tell its version, when that is known. */
  readonly explain?: (problem: string) => string | undefined;
  /** A program of ours, relative to the package root, run by this same Node. */
  readonly builtin?: string;
}

export interface AllowedFlag {
  readonly name: string;
  /** Absent when it takes none; otherwise what fits, and that in words. */
  readonly value?: { readonly fits: RegExp; readonly words: string };
}

/** What is known of a run when it is decided. */
export interface Opening {
  readonly cwd: string;
  readonly options: SessionOptions;
  /** `resume`: the agent knows this session already; `fork`: it shall copy it under a new id. */
  readonly mode: 'new' | 'resume' | 'fork';
  /** The agent's own session id: to be used (new), gone on with (resume), or copied from (fork). */
  readonly agentSessionId: string;
  /** The new id of a fork. */
  readonly forkSessionId?: string;
  /** The agent's own id of the message after which to go on; without it, the end. */
  readonly afterMessage?: string;
}

/** What is known of it when it is started. */
export interface LaunchContext extends Opening {
  readonly executable: string;
  /**
   * What runs the executable, when that is not the executable itself. A launch whose command is the executable is run by it without the adapter's doing;
   * only who starts the agent by a program of ours needs to pass it on.
   */
  readonly interpreter?: string;
  /** Where Signalbox lies: programs of ours that stand before a CLI are below it. */
  readonly packageRoot: string;
  /** The environment of the server, already cleaned. */
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
  /** Put files back to how they were before this message; a dry run only tells which. */
  | { readonly kind: 'rewind'; readonly commandId: CommandId; readonly messageId: string; readonly dryRun: boolean }
  | { readonly kind: 'answer'; readonly agentRequestId: string; readonly input: Readonly<Record<string, unknown>>; readonly verdict: Verdict };

export type Verdict =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** Suggestions of the request that go back to the agent, to be kept for this session or as it proposed itself. */
      readonly granted?: { readonly suggestions: readonly Readonly<Record<string, unknown>>[]; readonly forSession: boolean };
      /** To a question. */
      readonly answers?: Readonly<Record<string, string | readonly string[]>>;
      /** To a plan: the mode to go on in. */
      readonly mode?: PermissionMode;
    }
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt: boolean };

export interface AgentMemory {
  /** The file in which the agent keeps the session; `*` at the beginning of its name, or as the name of a folder, stands for what only the agent knows. */
  file(where: { readonly cwd: string; readonly agentSessionId: string; readonly env: Readonly<Record<string, string>> }): string;
  /** What the text of that file says: never came in, came in without an answer, or was answered. */
  recall(text: string, inputId: string): 'absent' | 'taken' | 'answered';
}

type Environment = Readonly<Record<string, string>>;

export interface AgentPast {
  /** The folder below which all records lie. */
  root(env: Environment): string;
  /** The folder of those that can be gone on with in this working folder: the root itself, or one in it. */
  folder(where: { readonly cwd: string; readonly env: Environment }): string;
  /** Records of all working folders lie together, below folders for the time of their beginning: the folder of one is told in it. */
  readonly isByTime?: true;
  /** The agent's session id of a record, by its file name; undefined for any other file. */
  idOf(fileName: string): string | undefined;
  /** What the beginning and the end of a record tell about it; each may be cut in mid-line. */
  glance(head: string, tail: string): PastFacts;
  /**
   * The conversation as the agent itself would go on with it, in short steps, so that others get their turn while a long one is read.
   * Never throws: what it does not know is `unrecognised`.
   */
  reading(text: string): Generator<undefined, PastRecord>;
  /** The messages of that conversation, newest first, read from the end: whoever needs only the last ones does not pay for a long record. */
  backwards(text: string): Iterable<PastMessage>;
}

export interface PastMessage {
  /** The agent's own id of it. */
  readonly id: string;
  /** One can go on after it. */
  readonly canGoOn: boolean;
}

export interface PastFacts {
  readonly cwd?: string;
  readonly title?: string;
  readonly model?: string;
  readonly lastAt?: string;
}

export interface PastRecord extends PastFacts {
  readonly observations: readonly KeptObservation[];
  /** The agent's own ids of the messages after which one can go on, oldest first. */
  readonly messageIds: readonly string[];
  /** The summary that the agent made when it last compacted its context. */
  readonly summary?: string;
}

export interface AgentRegistry {
  /** The folder in which each living process has a file. */
  folder(env: Environment): string;
  /** The process whose file bears this name; undefined for any other file. */
  pidOf(fileName: string): number | undefined;
  /** What such a file says: undefined when it names no holder, `torn` when it is not whole, so that nothing can be told. */
  read(fileName: string, text: string): Holder | 'torn' | undefined;
}

/** A process that holds a conversation. */
export interface Holder {
  readonly agentSessionId: string;
  readonly pid: number;
  /** When the process began, in the words of the process table: a pid alone may have become somebody else's. */
  readonly start: string;
  readonly since?: string;
  readonly what?: string;
}
