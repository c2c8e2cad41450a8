import type { Actor } from '../../protocol/actor.ts';
import type { ContextItem } from '../../protocol/command.ts';
import type { BlobRef, EventBodyOf, ImageRef, Origin } from '../../protocol/event.ts';
import type { AgentId, CheckpointId, CommandId, RequestId, RunId, SessionId, TurnId } from '../../protocol/ids.ts';
import type { LimitNow, ReportedCapabilities, SessionOptions, Status } from '../../protocol/session.ts';
import type { Annotations } from '../annotation/state.ts';
import type { FinishState } from '../finish/finish-state.ts';

/** Raised when a stored snapshot can no longer be read: the state is then folded from the first event again. */
export const STATE_VERSION = 5;

/** All that the rules need to know about a session: plain JSON, small, folded from its events alone. */
export interface SessionState {
  readonly id: SessionId;
  readonly seq: number;
  /** Events up to here are read from the agent's own record: it was a past session that someone adopted. */
  readonly base: number;
  readonly born: Creation | null;
  readonly deleted: boolean;
  readonly updatedAt: string;
  readonly meta: Meta;
  /** Tags of single messages, by the item's key; absent if there are none. */
  readonly itemTags?: Readonly<Record<string, readonly string[]>>;
  readonly status: StatusNow;
  readonly run: RunPhase;
  readonly turn: Turn;
  readonly queue: readonly Input[];
  /** Set while somebody has paused the queue and a message waits in it. */
  readonly paused?: { readonly at: string; readonly by: string | null };
  readonly permissions: readonly OpenPermission[];
  /** The last few requests that were closed, so that a late answer can be refused with the outcome. */
  readonly closedPermissions: readonly ClosedPermission[];
  readonly openTools: readonly OpenTool[];
  /** Calls of our tools that have no answer yet, and the last ones that have one. */
  readonly asks: readonly OpenAsk[];
  readonly answeredAsks: readonly AnsweredAsk[];
  /** What its agent in a terminal reported through hooks; absent if it never did. */
  readonly terminal?: TerminalReports;
  /** Background work: subagents and commands. */
  readonly tasks: readonly LiveTask[];
  readonly agentSessionId: string | null;
  /** Every conversation of the agent that this session ever had, the newest last: anyone who can't see the session can't see any of them. */
  readonly minds: readonly AgentConversation[];
  /** True once a process has taken an input: only then does the agent have something to resume. */
  readonly hasHistory: boolean;
  /** Runs in a row that crashed without finishing a turn. */
  readonly deaths: number;
  /** The last inputs consumed by the current agentSessionId: what the agent is expected to remember. */
  readonly remembered: readonly CommandId[];
  readonly model: string | null;
  readonly permissionMode: string | null;
  readonly thinking: string | null;
  /** What its agent reported that it can do; absent if it never did. */
  readonly can?: ReportedCapabilities;
  /** Settings requested since the session was created: every later process starts with them. */
  readonly wished: RequestedSettings;
  /** True if the current process was started with all permissions bypassed. */
  readonly bypasses: boolean;
  /** The conversation to continue, until the agent has taken a message of this session. */
  readonly origin: Origin | null;
  /** The summary that the first message of a new conversation must include. */
  readonly handover: { readonly how: 'compaction' | 'agent' | 'extract'; readonly text: string } | null;
  /** An interrupt that the agent has not acted on yet. */
  readonly interrupt: { readonly commandId: CommandId; readonly at: string } | null;
  readonly driver: Driver | null;
  readonly limit: LimitNow | null;
  readonly continuation: Continuation | null;
  /** The last reset for which a preference scheduled a continuation that was then sent or cancelled. */
  readonly lastReset?: string;
  /** The last turn, if its process was gone before it ended; until the next message. `isFoundAtStart`: nobody saw it, because no server was running. */
  readonly cutOff?: { readonly seq: number; readonly at: string; readonly isFoundAtStart: boolean };
  /** The last turn that ended by itself, or the failure after it; absent until there is one. */
  readonly finished?: { readonly seq: number; readonly at: string };
  /** The last turn failed, and nobody has sent a message since. Absent if not. */
  readonly turnFailed?: boolean;
  readonly costUsd: number | null;
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  readonly lastLine: string | null;
  /** For each file of the agent's record: the position of the last merged line of another program. */
  readonly merged: Readonly<Record<string, number>>;
  /** Comments made here, and reviews sent here; absent if there are none. */
  readonly annotations?: Annotations;
  /** The last event with which a tool started. */
  readonly toolSeq?: number;
  /** A turn ended, and the checkpoint after it is not made yet. */
  readonly afterDue?: { readonly seq: number; readonly turnId: TurnId; readonly commandId?: CommandId };
  /** Why checkpoints are not made, as last said. */
  readonly noCheckpoints?: string;
  /** A revert whose files may be written only in part. */
  readonly reverting?: {
    readonly commandId: CommandId;
    readonly checkpointId: CheckpointId;
    readonly paths?: readonly string[];
    readonly force?: readonly string[];
  };
  /** Its git acts and its pull request; absent until there is one. */
  readonly finish?: FinishState;
  /** The last scripts that ran for this session, oldest first. */
  readonly scripts?: readonly ScriptRun[];
  /** Of a script's own session: how its command ended. */
  readonly command?: CommandEnd;
  readonly worktree?: SessionWorktree;
  /** Hashes of scripts that a person accepted for this session. */
  readonly trusted?: readonly string[];
}

/** The session's own worktree. `adding`: git makes it; `prepared`: its files are there, the setup script is due or runs. */
export interface SessionWorktree extends Pick<EventBodyOf<'worktree.requested'>, 'worktreeId' | 'repo' | 'path' | 'branch' | 'base' | 'baseCommit'> {
  readonly phase: 'adding' | 'prepared' | 'made' | 'failed' | 'removing' | 'removed';
  /** How often the current step was started. */
  readonly attempts: number;
  readonly by?: Actor;
  readonly devPort?: number;
  readonly prepared?: Pick<EventBodyOf<'worktree.prepared'>, 'head' | 'copied' | 'included' | 'scripts'>;
  readonly head?: string;
  readonly problem?: Pick<EventBodyOf<'worktree.failed'>, 'step' | 'message'>;
  readonly removal?: Pick<EventBodyOf<'worktree.removing'>, 'archive' | 'forced' | 'script' | 'checkpointId' | 'commit' | 'savedTo'> & { readonly by?: Actor };
  readonly restores?: true;
}

/** A script or a long git act of a session. */
export interface ScriptRun extends Pick<EventBodyOf<'script.started'>, 'scriptId' | 'kind' | 'command' | 'argv' | 'cwd' | 'env' | 'sessionId'> {
  readonly seq: number;
  readonly at: string;
  readonly by?: Actor;
  /** Absent while it runs. */
  readonly ended?: ScriptEnd;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The end of what it printed. */
  readonly tail: string;
}

/** Without `code` and `signal`, its end was never seen; `message` says why. */
export interface ScriptEnd extends CommandEnd {
  readonly message?: string;
}

/** `copyOf` is the conversation that this one copies in order to ask for a summary; this session does not show its text. */
export interface AgentConversation {
  readonly id: string;
  readonly copyOf?: string;
}

export interface RequestedSettings {
  readonly model?: string;
  readonly mode?: string;
  readonly thinking?: string;
}

/** Another program that has the agent's conversation open. */
export interface Driver {
  readonly pid: number;
  readonly since?: string;
  readonly what?: string;
  /** A person asked to end it. */
  readonly isLeaving?: boolean;
}

export interface Continuation {
  readonly commandId: CommandId;
  readonly resumesAt: string;
  readonly text: string;
  /** The reset that it waits for, if a preference scheduled it. */
  readonly resetsAt?: string;
}

export interface Creation {
  readonly agent: AgentId;
  readonly cwd: string;
  readonly node: string;
  readonly owner: string;
  /** The id of the owner's token; absent in data from when ids were names. */
  readonly ownerId?: string;
  readonly at: string;
  readonly options: SessionOptions;
  readonly parent: { readonly sessionId: string; readonly seq: number } | null;
  /** The session whose agent started this one. */
  readonly startedBy?: string;
}

export interface Meta {
  readonly title: string | null;
  /** The agent's own title, as it last reported it. */
  readonly reportedTitle?: string;
  /** The first message, from which the title is made if nobody set one. */
  readonly firstPrompt: string | null;
  readonly tags: readonly string[];
  readonly star: boolean;
  readonly note: string | null;
  readonly archived: boolean;
  readonly closed: boolean;
  /** The agent is told about open comments whenever it starts. */
  readonly giveComments?: boolean;
}

export interface StatusNow {
  readonly status: Status;
  readonly cause: string;
  readonly seq: number;
  readonly at: string;
}

export type RunPhase =
  | { readonly phase: 'none' }
  | { readonly phase: 'opened'; readonly run: RunId }
  | { readonly phase: 'ready'; readonly run: RunId }
  | {
      readonly phase: 'ending';
      readonly run: RunId;
      readonly reason: EventBodyOf<'run.ending'>['reason'];
      /** Messages sent since the end was requested: they need the next run. */
      readonly since?: readonly CommandId[];
    };

export type Turn =
  | { readonly phase: 'idle' }
  | { readonly phase: 'running'; readonly turnId: TurnId; readonly commandId: CommandId | null; readonly interruptedBy: CommandId | null };

/** A message a person sent, until its turn is over. */
export interface Input {
  readonly commandId: CommandId;
  /** The text, or its head if `blob` has the full text. */
  readonly text: string;
  readonly blob: BlobRef | null;
  readonly images: readonly ImageRef[];
  readonly context: readonly ContextItem[];
  readonly mode: 'queue' | 'steer';
  readonly at: string;
  readonly by: string | null;
  /** When it was lent to a program that polls for messages. */
  readonly leasedAt?: string;
  /** Another agent wrote it. */
  readonly isFromAgent?: true;
  readonly stage: { readonly at: 'accepted' } | { readonly at: 'delivered'; readonly run: RunId } | { readonly at: 'consumed'; readonly run: RunId };
}

export interface OpenPermission {
  readonly requestId: RequestId;
  readonly seq: number;
  readonly at: string;
  readonly asked: Omit<
    EventBodyOf<'permission.requested'>,
    'type' | 'src' | 'blobs' | 'requestId' | 'turnId' | 'itemId' | 'parentItemId' | 'actor' | 'v' | 'uuid' | 'atKnown' | 'inherited'
  >;
}

export interface ClosedPermission {
  readonly requestId: RequestId;
  readonly outcome: EventBodyOf<'permission.resolved'>['outcome'];
  readonly by: string;
  /** Why, when nobody answered it. */
  readonly reason: string | null;
}

/** `toolUseId` is the call that started it; a subagent's own calls name it as their parent. */
export interface LiveTask {
  readonly taskId: string;
  readonly kind: string;
  readonly title?: string;
  readonly toolUseId: string | null;
}

export interface OpenTool {
  readonly toolUseId: string;
  readonly parentToolUseId: string | null;
}

export interface OpenAsk {
  readonly askId: string;
  readonly run: RunId;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId: string | null;
  /** Null for a call over HTTP. */
  readonly agentRequestId: string | null;
  /** A person said yes to the question that the call led to. */
  readonly isApproved: boolean;
}

export interface AnsweredAsk extends Omit<OpenAsk, 'isApproved' | 'agentRequestId'> {
  readonly outcome: EventBodyOf<'tool.answered'>['outcome'];
  readonly text: string;
  /** False as long as the agent may not have got it: then the same call in a later run gets the same answer. */
  readonly isReceived: boolean;
}

export interface TerminalReports {
  /** When it reported that it is done; absent once it is known to work again, or has ended. */
  readonly idleSince?: string;
  /** Requests that wait for an answer, here or there. */
  readonly asks: readonly HookAsk[];
  /** The last ones that ended, and the event with which they did. */
  readonly answered: readonly (HookAsk & { readonly seq: number })[];
}

export interface HookAsk {
  readonly askId: string;
  readonly requestId: RequestId;
}

export function newSessionState(id: SessionId): SessionState {
  return {
    id,
    seq: 0,
    base: 0,
    born: null,
    deleted: false,
    updatedAt: '',
    meta: { title: null, firstPrompt: null, tags: [], star: false, note: null, archived: false, closed: false },
    status: { status: 'sleeping', cause: 'nothing', seq: 0, at: '' },
    run: { phase: 'none' },
    turn: { phase: 'idle' },
    queue: [],
    permissions: [],
    closedPermissions: [],
    openTools: [],
    asks: [],
    answeredAsks: [],
    tasks: [],
    agentSessionId: null,
    minds: [],
    hasHistory: false,
    deaths: 0,
    remembered: [],
    model: null,
    permissionMode: null,
    thinking: null,
    wished: {},
    bypasses: false,
    origin: null,
    handover: null,
    interrupt: null,
    driver: null,
    limit: null,
    continuation: null,
    costUsd: null,
    contextTokens: null,
    contextWindow: null,
    lastLine: null,
    merged: {},
  };
}
