import type { FinishState } from '../domain/finish/finish-state.ts';
import type { Outside } from '../domain/policy/outside.ts';
import type { ResetPreference } from '../domain/policy/reset-preference.ts';
import type { KnownReview } from '../domain/policy/workspace.ts';
import type { ScriptRequest } from '../domain/script/scripts.ts';
import type { ScriptEnd } from '../domain/session/state.ts';
import type { Actor } from '../protocol/actor.ts';
import type { ReviewId } from '../protocol/annotation.ts';
import type { AuditEntry, AuditFilter } from '../protocol/api/audit.ts';
import type { CheckpointList, RevertPreview, TurnDiff } from '../protocol/api/checkpoints.ts';
import type { Problem } from '../protocol/api/problem.ts';
import type { Worktree, WorktreePreview } from '../protocol/api/worktree.ts';
import type { Command, ContextItem, Receipt, Refusal, RevertTo, WorkspaceCommand } from '../protocol/command.ts';
import type { Event } from '../protocol/event.ts';
import type { Delta } from '../protocol/frame.ts';
import type { AgentDescription, FolderList, MachineNow, PastList, ProposalList, WaitingPermission } from '../protocol/http.ts';
import type { AgentId, CheckpointId, CommandId, RequestId, RunId, SessionId, TurnId } from '../protocol/ids.ts';
import type { RawImage } from '../protocol/observation.ts';
import type { RuleBody, RuleInUse, RuleTest } from '../protocol/rule.ts';
import type { Session } from '../protocol/session.ts';
import type { FileHistory } from './checkpoints/file-history.ts';
import type { WorktreeAct, WorktreeAnswer } from './worktrees/act.ts';

/** Every command and every observation goes through the engine. Only the engine appends events. */
export interface Engine {
  /** Resolves when the command is durable (synced), or with the reason for a refusal. The same command id gets the same answer. */
  submit(command: Command, actor: Actor): Promise<Receipt | Refusal>;
  /** The same for what belongs to no session: rules and tokens. */
  workspace(command: WorkspaceCommand, actor: Actor): Promise<Receipt | Refusal>;
  /** The active rules, oldest first. */
  rules(): readonly RuleInUse[];
  /** Webhooks, and links to sessions. */
  outside(): Outside;
  /** Which sessions continue by themselves when a usage limit resets. */
  resetPreferences(): readonly ResetPreference[];
  /** What a rule would have decided about past tool calls. */
  tryRule(body: RuleBody): Promise<RuleTest | Refusal>;
  /** The rules that a pending request could be turned into, narrowest first. */
  proposals(requestId: RequestId): ProposalList | Refusal;
  /**
   * Runs a script or a long git act for a session, once per script id, and resolves with how it ended. It goes on when this server ends:
   * ask again with the same id, or read `script.ended` from the session's events.
   */
  runScript(parent: SessionId, script: ScriptRequest): Promise<ScriptEnd | Refusal>;
  /** Worktrees of every repository in which a session has one. */
  worktrees(): Promise<readonly Worktree[]>;
  /** What a new worktree of this folder would be; nothing is created. */
  previewWorktree(cwd: string, base?: string): Promise<WorktreePreview | Refusal>;
  actOnWorktree(sessionId: SessionId, act: WorktreeAct, actor: Actor): Promise<WorktreeAnswer | Refusal>;
  session(id: SessionId): Session | undefined;
  /** What a session's git acts and pull request have come to; undefined if there is no such session. */
  finish(id: SessionId): FinishState | undefined;
  /** All sessions except those of scripts. */
  sessions(): readonly Session[];
  /** The session of a request, pending or closed. */
  sessionOfRequest(requestId: RequestId): SessionId | undefined;
  /** The session whose agent runs as this run right now; undefined once that run has ended. */
  sessionOfRun(run: RunId): SessionId | undefined;
  /** Calls of our tools: the open ones, and the last ones that were answered. */
  toolCalls(session?: SessionId): readonly ToolCall[];
  /** Whether the agent of this session may use our tools. */
  hasTools(session: SessionId): boolean;
  /** Somebody waits for the answer to this call, until the returned function is called: the answer then needs no message to the agent. */
  holdToolCall(askId: string): () => void;
  /** Agents in terminals that report through hooks, and programs that poll for messages. */
  readonly terminals: Terminals;
  /** Durable events in ascending order: the first ones after `after`, or the last ones before `before`. */
  events(id: SessionId, page: { readonly after?: number; readonly before?: number; readonly limit: number }): readonly Event[];
  /** The full text in progress, one delta per item. */
  partial(id: SessionId): readonly Delta[];
  permissions(session?: SessionId): readonly WaitingPermission[];
  /** `rescan`: every program is asked for its version again. */
  agents(rescan?: 'rescan'): Promise<readonly AgentDescription[]>;
  /** Conversations that the agent has on disk, newest first: of one folder, or of all folders in which sessions may run. */
  past(agent: AgentId, query: { readonly cwd?: string | undefined; readonly q?: string | undefined }): Promise<PastList | Refusal>;
  /** Owners of the private sessions, including deleted ones, that ever had this conversation. */
  ownersOfPrivate(agentSessionId: string): readonly string[];
  /** All private conversations, including those of deleted sessions. Past sessions made from them are private too. */
  privateConversations(): readonly string[];
  /** Subfolders of an allowed folder; without a path, the allowed roots. */
  folders(path?: string): Promise<FolderList | Refusal>;
  /** Writes a consistent copy of the journal while work continues, and returns its path. */
  backup(): Promise<string>;
  /** The values that a person set in the environment of a session: they never leave this machine. */
  secretValues(id: SessionId): Promise<readonly string[]>;
  blob(sha256: string): Uint8Array | undefined;
  /** The session's checkpoints and what each turn changed; undefined for a session that isn't ours. */
  checkpoints(id: SessionId): Promise<CheckpointList | undefined>;
  /** What restoring files would do; changes nothing. */
  previewRevert(id: SessionId, wanted: RevertTo): Promise<RevertPreview | Refusal>;
  /** What checkpoints of a folder know about a file in it, under the first of these names that is there. */
  fileHistory(folder: string, names: readonly string[]): Promise<FileHistory>;
  /** What one turn did to one file, by whatever tool or command. */
  turnDiff(id: SessionId, turnId: TurnId, path: string): Promise<TurnDiff | Refusal>;
  /** Keeps the session's files right before something is discarded or removed; durable when it returns. `include`: ignored files to keep as well. */
  takeCheckpoint(id: SessionId, when: 'discard' | 'remove', options?: TakeNowOptions): Promise<{ readonly checkpointId: CheckpointId } | Refusal>;
  /** Who decided what, newest first, including deleted sessions. */
  audit(filter: AuditFilter): readonly AuditEntry[];
  /** False for a while after an upgrade or a rebuild, while lines for earlier events are still being added. */
  isAuditComplete(): boolean;
  /** Calls `listener` with everything that happens from now on, in order. Returns a function that unsubscribes. */
  watch(session: SessionId | '*', listener: (news: News) => void): () => void;
  stats(): EngineStats;
  /** Who gets a review, and who refused it. */
  review(reviewId: ReviewId): KnownReview | undefined;
  /** Sessions with comments or reviews. */
  annotated(): readonly SessionId[];
  /** How full this machine is. */
  machine(): MachineNow;
  /** What fails now and is retried, described for people. */
  problems(): readonly Problem[];
  /** Resolves when no mailbox, effect or reader has anything left to do. */
  drain(): Promise<void>;
  /** Leaves agents running unless `stopAgents` is set. Can be called twice. */
  close(options?: { readonly stopAgents?: boolean }): Promise<void>;
}

export interface TakeNowOptions {
  readonly commandId?: CommandId;
  readonly include?: readonly string[];
}

export type News =
  | { readonly kind: 'events'; readonly sessionId: SessionId; readonly events: readonly Event[] }
  | { readonly kind: 'deltas'; readonly sessionId: SessionId; readonly deltas: readonly Delta[] }
  | { readonly kind: 'dropped'; readonly sessionId: SessionId; readonly itemId: string }
  /** The session as lists show it has changed. */
  | { readonly kind: 'session'; readonly sessionId: SessionId; readonly session: Session }
  | { readonly kind: 'deleted'; readonly sessionId: SessionId }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly code: string; readonly text: string }
  /** Everything that doesn't work now; empty once everything works again. */
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** One call of one of our tools by the agent of a session. */
export interface ToolCall {
  readonly sessionId: SessionId;
  readonly askId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** A person has been asked about it and has not answered yet. */
  readonly isQuestionOpen: boolean;
  /** A person agreed to it. */
  readonly isApproved: boolean;
  readonly answer?: { readonly outcome: string; readonly text: string };
}

/** Only the parts of the server that serve hooks and polling programs use it. */
export interface Terminals {
  /** What a hook was given by its agent. Undefined fields: there is nothing to do. */
  report(report: TerminalReport, actor: Actor): Promise<HookReceipt | Refusal>;
  /** Whether hooks reported this session. */
  isReported(session: SessionId): boolean;
  /** Requests of hooks that are still open. */
  asks(): readonly { readonly sessionId: SessionId; readonly askId: string }[];
  /** `answered`: what the hook prints. `closed`: nobody decided it here. */
  ask(askId: string): HookAskState | undefined;
  /** It was answered in the terminal, or nobody can answer it anymore. */
  settle(askId: string, reason: string, lapsed: boolean): Promise<void>;
  /** Whether a message could be lent now. */
  poll(session: SessionId): 'empty' | 'ready' | Refusal;
  /** The message that is lent right now. */
  lent(session: SessionId): LentMessage | undefined;
  /** Somebody waits for messages, until the returned function is called. */
  holdPoll(session: SessionId): () => void;
}

export interface TerminalReport {
  readonly agent: AgentId;
  readonly payload: unknown;
  /** The hook's own id of this request. */
  readonly askId: string;
  readonly commandId: CommandId;
}

export interface HookReceipt {
  readonly sessionId?: SessionId;
  /** The agent is done; `again`: it already continued because of a hook. */
  readonly stopped?: 'first' | 'again';
}

export type HookAskState = { readonly sessionId: SessionId } & (
  | { readonly state: 'open' | 'closed' }
  | { readonly state: 'answered'; readonly output: string }
);

export interface LentMessage {
  readonly commandId: CommandId;
  readonly text: string;
  readonly images: readonly RawImage[];
  readonly context: readonly ContextItem[];
  /** What a hook prints so that its agent takes the message. */
  readonly hookOutput?: string;
}

export interface EngineStats {
  readonly live: number;
  readonly sessions: number;
  readonly eventsAppended: number;
  readonly linesRead: number;
  readonly diskLow: boolean;
}
