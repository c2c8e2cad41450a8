import * as z from 'zod/mini';
import { Cause, Pressure } from './api/health.ts';
import { SessionPr } from './git.ts';
import { AgentId, SessionId, WorktreeId } from './ids.ts';

export const Status = z.enum(['starting', 'busy', 'waiting', 'idle', 'sleeping', 'ended', 'failed']);
export type Status = z.infer<typeof Status>;

export const Control = z.enum(['here', 'elsewhere', 'none']);
export type Control = z.infer<typeof Control>;

export const PermissionMode = z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** A mode under the agent's own name. `bypasses`: by its own words it asks for nothing, so the operator has to allow it. */
export const OwnMode = z.object({ id: z.string(), name: z.string(), description: z.optional(z.string()), bypasses: z.optional(z.boolean()) });
export type OwnMode = z.infer<typeof OwnMode>;

/** One of our modes, or the id of one of the agent's own. */
export const AnyMode = z.string().check(z.minLength(1), z.maxLength(200));

/** How much an agent can think before it answers. */
export const Thinking = z.enum(['off', 'low', 'medium', 'high', 'max']);
export type Thinking = z.infer<typeof Thinking>;

/** What a person chose for a session when it was created; used for every later run of it. */
export const SessionOptions = z.object({
  model: z.optional(z.string().check(z.maxLength(200))),
  permissionMode: z.optional(PermissionMode),
  thinking: z.optional(Thinking),
  addDirs: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  flags: z.optional(z.array(z.string())),
  systemPrompt: z.optional(z.string()),
  appendSystemPrompt: z.optional(z.string()),
  allowedTools: z.optional(z.array(z.string())),
  disallowedTools: z.optional(z.array(z.string())),
  maxTurns: z.optional(z.int().check(z.positive())),
  fallbackModel: z.optional(z.string()),
  mcpConfigPath: z.optional(z.string()),
  ephemeral: z.optional(z.boolean()),
  /** The agent gets no tools at all, not even its own; only some agents can. */
  noTools: z.optional(z.boolean()),
  /** False: the agent gets none of our tools. */
  tools: z.optional(z.boolean()),
  /**
   * `dial-in`: the CLI connects to a socket of ours instead of using stdin and stdout; only some old CLIs can.
   * `per-message`: every message is a process of its own, which runs without asking; only some agents can.
   */
  transport: z.optional(z.enum(['stdio', 'dial-in', 'per-message'])),
  /** The mode in which later runs continue, if it is one of the agent's own; chosen in a live session. */
  ownMode: z.optional(z.string()),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

/** What an agent can do: the page offers nothing else, and the server refuses the rest with a message. */
export const Capabilities = z.object({
  streaming: z.boolean(),
  permissions: z.boolean(),
  resume: z.boolean(),
  fork: z.boolean(),
  interrupt: z.boolean(),
  steer: z.boolean(),
  images: z.boolean(),
  thinking: z.boolean(),
  cost: z.boolean(),
  subagents: z.boolean(),
  /** Permission modes it has; can be empty. */
  modes: z.array(PermissionMode),
  /** Other modes that it offers, as it names them. */
  ownModes: z.optional(z.array(OwnMode)),
  /** What can be changed in a live session. */
  setModel: z.boolean(),
  setThinking: z.boolean(),
  /** A fork can start at any message, not only at the end. */
  forkAt: z.boolean(),
  /** Files can be restored to how they were at a message. */
  rewind: z.boolean(),
  /** A call can be allowed with different arguments than requested. */
  editInput: z.boolean(),
  /** How the agent gets our tools: over its own two files, as an MCP server over HTTP, or not at all. */
  tools: z.enum(['bus', 'http', 'none']),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** What the agent of a session reported about itself, as far as it did. */
export const ReportedCapabilities = z.exactPartial(Capabilities);
export type ReportedCapabilities = z.infer<typeof ReportedCapabilities>;

/** One message in the server's queue, or in flight. */
export const QueuedInput = z.object({
  commandId: z.string(),
  text: z.string(),
  mode: z.enum(['queue', 'steer']),
  state: z.enum(['accepted', 'delivered', 'consumed']),
  images: z.int(),
  /** When it was accepted, and from whom. */
  at: z.optional(z.string()),
  by: z.optional(z.string()),
});
export type QueuedInput = z.infer<typeof QueuedInput>;

/** An active limit of the agent's account. */
export const LimitNow = z.object({ status: z.string(), kind: z.string(), resetsAt: z.optional(z.string()) });
export type LimitNow = z.infer<typeof LimitNow>;

/** For a session from another program: what is read from the agent's own record. */
export const PastOfSession = z.object({
  /** Events up to here are read from the record; later ones are in the journal. */
  lastSeq: z.int(),
  bytes: z.int(),
  /** More than one when the conversation was continued from more than one message. */
  branches: z.int(),
  /** There is a kept copy of all of it. */
  kept: z.boolean(),
  /** The agent's own file no longer exists. */
  gone: z.boolean(),
  /** False while only its start and end have been read. */
  read: z.boolean(),
});
export type PastOfSession = z.infer<typeof PastOfSession>;

export const HealthBrief = z.object({
  pressure: Pressure,
  cause: z.optional(Cause),
  /** Tokens in the model's context now and at their highest. */
  now: z.optional(z.int()),
  peakTokens: z.int(),
  windowTokens: z.optional(z.int()),
  compactions: z.int(),
  /** Kinds of active findings. */
  findings: z.array(z.string()),
  /** Tokens in the context over time, at most 24 figures; a compaction is negative. */
  line: z.array(z.int()),
});
export type HealthBrief = z.infer<typeof HealthBrief>;

/** A session's own worktree. */
export const WorktreeOfSession = z.object({
  id: WorktreeId,
  repo: z.string(),
  path: z.string(),
  branch: z.string(),
  base: z.string(),
  state: z.enum(['making', 'waiting', 'made', 'failed', 'removing', 'removed']),
  /** Why it failed, and at which step. */
  problem: z.optional(z.object({ step: z.string(), message: z.string() })),
  devPort: z.optional(z.int()),
});
export type WorktreeOfSession = z.infer<typeof WorktreeOfSession>;

/** A TCP port that a process of a session listens on. */
export const SessionPort = z.object({
  port: z.int(),
  /** `0.0.0.0` and `::` mean all addresses of the machine. */
  address: z.string(),
  program: z.string(),
});
export type SessionPort = z.infer<typeof SessionPort>;

/** A session as lists and pages show it. */
export const Session = z.object({
  id: SessionId,
  agent: AgentId,
  agentSessionId: z.optional(z.string()),
  title: z.string(),
  cwd: z.string(),
  projectId: z.string(),
  project: z.string(),
  status: Status,
  /** The event that caused the status. */
  statusCause: z.object({ seq: z.int(), cause: z.string() }),
  control: Control,
  reachable: z.boolean(),
  model: z.optional(z.string()),
  permissionMode: z.optional(z.string()),
  thinking: z.optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastSeq: z.int(),
  lastLine: z.optional(z.string()),
  /** How many requests are pending. */
  waiting: z.int(),
  queue: z.array(QueuedInput),
  /** A turn whose agent was gone when the server started, such as after a restart of the machine; until the next message. */
  cutOff: z.optional(z.object({ seq: z.int(), at: z.string() })),
  /** The last turn that ended by itself, well or badly, or the crash after it; what a person stopped is not one. */
  finished: z.optional(z.object({ seq: z.int(), at: z.string() })),
  /** For the caller: it finished and they have not seen it. Only in answers for one person. */
  unread: z.optional(z.boolean()),
  /** Somebody paused the queue, by an interrupt or on purpose: what is queued waits until somebody resumes it. */
  queuePaused: z.optional(z.boolean()),
  /** A program outside Signalbox waits for its messages: the next one goes there. */
  polling: z.optional(z.boolean()),
  /** While it waits for a slot: its place in line, from 1, and the limit (a number of agents, or bytes of memory). */
  placeInLine: z.optional(z.int()),
  lineLimit: z.optional(z.object({ of: z.enum(['agents', 'memory']), limit: z.int() })),
  tags: z.array(z.string()),
  /** Tags of its messages. */
  messageTags: z.optional(z.array(z.string())),
  star: z.boolean(),
  archived: z.optional(z.boolean()),
  note: z.optional(z.string()),
  costUsd: z.optional(z.number()),
  context: z.optional(z.object({ tokens: z.int(), window: z.int() })),
  pid: z.optional(z.int()),
  rssBytes: z.optional(z.int()),
  /** What its processes and its run script listen on; known only while somebody has the session open. */
  ports: z.optional(z.array(SessionPort)),
  hostname: z.string(),
  platform: z.string(),
  node: z.string(),
  /** It is on another machine that can't be reached: this is what was last known of it, and when. */
  lastKnown: z.optional(z.object({ at: z.string(), node: z.string() })),
  owner: z.string(),
  /** The id of the owner's token: names can be reused, ids never are. */
  ownerId: z.optional(z.string()),
  /** Private: only its creator and the owner of this server can see it. */
  closed: z.optional(z.boolean()),
  /** Whenever the agent starts, it is told about open comments. */
  giveComments: z.optional(z.boolean()),
  /** The other program that has the conversation open, if any. */
  driver: z.optional(z.object({ pid: z.int(), since: z.optional(z.string()), what: z.optional(z.string()) })),
  limit: z.optional(LimitNow),
  /** When it will resume automatically, because a person scheduled it. */
  continuesAt: z.optional(z.string()),
  /** While a limit is active: the scope of the preference because of which it resumes automatically at the reset. */
  continuesAtReset: z.optional(z.enum(['session', 'project', 'everywhere'])),
  parent: z.optional(z.object({ sessionId: SessionId, seq: z.int() })),
  /** How many comments made here have not been sent; absent if none. */
  drafts: z.optional(z.int()),
  /** The session whose agent started this one. */
  startedBy: z.optional(SessionId),
  /** The plan and the step that it works for. */
  plan: z.optional(z.object({ planId: z.string(), nodeId: z.optional(z.string()) })),
  /** Its own worktree, if it has one. */
  worktree: z.optional(WorktreeOfSession),
  /** What is read from the agent's own record. */
  past: z.optional(PastOfSession),
  /** What its agent reported about itself, where it differs from what is known about the agent. */
  capabilities: z.optional(ReportedCapabilities),
  /** The part of its health that lists show. */
  health: z.optional(HealthBrief),
  /** Its pull request, with what a person should look at. */
  pr: z.optional(SessionPr),
});
export type Session = z.infer<typeof Session>;
