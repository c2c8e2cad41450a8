import * as z from 'zod/mini';
import { Role, TokenName } from './actor.ts';
import { Problem } from './api/problem.ts';
import { WorktreeWish } from './api/worktree.ts';
import { AnswerBody, InputBody, MessageImages, MessageText } from './command.ts';
import { Event } from './event.ts';
import { AgentId, CommandId, RequestId, SessionId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { Proposal, RuleBody, RuleId, RuleInUse, RuleScope } from './rule.ts';
import { AnyMode, Capabilities, Session, SessionOptions, Thinking } from './session.ts';
import { Subject } from './subject.ts';
import { noNul } from './text.ts';

export type { Capabilities } from './session.ts';

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string(), id: z.optional(z.string()), details: z.optional(z.unknown()) }) });

export const AgentDescription = z.object({
  id: AgentId,
  title: z.string(),
  icon: z.string(),
  available: z.boolean(),
  path: z.optional(z.string()),
  /** How the path was found: the agent's variable, PATH, or the installer that puts programs there. */
  foundBy: z.optional(z.string()),
  version: z.optional(z.string()),
  /** What runs the program, if it is not what the program would find itself. */
  interpreter: z.optional(z.object({ path: z.string(), foundBy: z.string(), version: z.optional(z.string()) })),
  problem: z.optional(z.string()),
  verifiedWith: z.array(z.string()),
  capabilities: Capabilities,
  /** `known`: tested with its versions; `assumed`: the agent reports it when it is first started; `told`: reported by the agent. */
  capabilitiesBy: z.optional(z.enum(['known', 'assumed', 'told'])),
  /** Options that it has no equivalent for: a session with one of them is refused with a message. */
  refusedOptions: z.optional(z.array(z.string())),
  sessions: z.int(),
});
export type AgentDescription = z.infer<typeof AgentDescription>;

/** An agent's own mode is only known once it runs. */
const { ownMode: _ownMode, ...creatable } = SessionOptions.shape;

export const CreateSessionBody = z.object({
  ...creatable,
  agent: AgentId,
  cwd: z.string().check(z.minLength(1)),
  prompt: z.optional(MessageText),
  images: z.optional(MessageImages),
  title: z.optional(z.string().check(noNul('the title'), z.maxLength(LIMITS.titleChars))),
  id: z.optional(SessionId),
  /** The agent's session id of a conversation to continue, or `latest` for the newest of the folder. */
  resume: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** With `resume`: continue in a copy. */
  fork: z.optional(z.boolean()),
  /** With `resume` of a session that is listed here: the event after which to continue. */
  at: z.optional(z.int().check(z.positive())),
  /** With `resume`: start a new conversation with a summary of that one. */
  handover: z.optional(z.boolean()),
  /** Work in a new worktree of the folder's repository, on a branch of its own. */
  worktree: z.optional(z.union([z.literal(true), WorktreeWish])),
  /** End the other program that has the conversation open, and continue here. */
  takeover: z.optional(z.boolean()),
});
export type CreateSessionBody = z.infer<typeof CreateSessionBody>;

export const SendInputBody = z.object({ ...InputBody.shape, commandId: z.optional(CommandId) });
export const InputAnswer = z.object({ commandId: CommandId, seq: z.int(), queued: z.boolean() });
/** Asked beside the running turn; the conversation doesn't change. */
export const SideQuestionBody = z.object({
  question: z
    .string()
    .check(z.minLength(1, 'the question is empty'), z.maxLength(LIMITS.commentChars, `a side question can have at most ${LIMITS.commentChars} characters`)),
});
export const SideQuestionAnswer = z.object({ answer: z.string() });
export const InterruptBody = z.object({ commandId: z.optional(CommandId) });
export const CommandAnswer = z.object({ commandId: CommandId, seq: z.int() });
export const PermissionAnswerBody = z.object({ ...AnswerBody.shape, commandId: z.optional(CommandId) });

export const ForkBody = z.object({
  commandId: z.optional(CommandId),
  /** The event after which the copy continues; without it, the end. */
  at: z.optional(z.int().check(z.positive())),
  prompt: z.optional(MessageText),
  title: z.optional(z.string().check(noNul('the title'), z.maxLength(LIMITS.titleChars))),
});
/** A new session with a summary of this one. Without `how`: the best available. */
export const HandoverBody = z.object({
  commandId: z.optional(CommandId),
  how: z.optional(z.enum(['compaction', 'agent', 'extract'])),
  prompt: z.optional(MessageText),
});
export const RewindBody = z.object({ commandId: z.optional(CommandId), seq: z.int().check(z.positive()), dryRun: z.optional(z.boolean()) });
export const RewindAnswer = z.object({
  commandId: CommandId,
  canRewind: z.boolean(),
  files: z.array(z.string()),
  insertions: z.optional(z.int()),
  deletions: z.optional(z.int()),
  problem: z.optional(z.string()),
});
export const ModelBody = z.object({ commandId: z.optional(CommandId), model: z.string().check(z.minLength(1), z.maxLength(200)) });
export const ModeBody = z.object({ commandId: z.optional(CommandId), mode: AnyMode });
export const ThinkingBody = z.object({ commandId: z.optional(CommandId), thinking: Thinking });
/** One of: a new text, a new position (`before` another queued message, null for the end), or `mode: 'steer'` to send it now. */
export const QueueBody = z.object({
  commandId: z.optional(CommandId),
  text: z.optional(MessageText),
  before: z.optional(z.nullable(CommandId)),
  mode: z.optional(z.literal('steer')),
});
export const ContinuationBody = z.object({ commandId: z.optional(CommandId), at: z.optional(z.iso.datetime()), text: z.optional(MessageText) });
/** Whether sessions continue by themselves when a usage limit resets. */
export const ResetPreferenceBody = z.object({ commandId: z.optional(CommandId), scope: RuleScope, choice: z.enum(['on', 'off', 'unset']) });
export const ResetPreferenceList = z.object({ preferences: z.array(z.object({ scope: RuleScope, choice: z.enum(['on', 'off']) })) });
export type ResetPreferenceList = z.infer<typeof ResetPreferenceList>;
export const CreateRuleBody = z.object({ ...RuleBody.shape, commandId: z.optional(CommandId), replaces: z.optional(RuleId) });
/** The narrowest first; empty, with the reason, if no rule can allow such a call. `guarded`: nor may a rule that the agent would store itself. */
export const ProposalList = z.object({ proposals: z.array(Proposal), cannot: z.optional(z.string()), guarded: z.optional(z.boolean()) });
export type ProposalList = z.infer<typeof ProposalList>;
export const RuleList = z.object({ rules: z.array(RuleInUse) });

export const WaitingPermission = z.object({
  requestId: RequestId,
  sessionId: SessionId,
  sessionTitle: z.string(),
  agent: AgentId,
  cwd: z.string(),
  seq: z.int(),
  at: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  title: z.optional(z.string()),
  suggestions: z.optional(z.array(z.record(z.string(), z.unknown()))),
  kind: z.enum(['tool', 'question', 'plan']),
  toolUseId: z.optional(z.string()),
  subagent: z.optional(z.string()),
  subagentTitle: z.optional(z.string()),
  subject: z.optional(Subject),
});
export type WaitingPermission = z.infer<typeof WaitingPermission>;

/** A conversation that an agent stores on disk. */
export const PastConversation = z.object({
  agentSessionId: z.string(),
  title: z.string(),
  /** The folder in which it took place; absent if its record does not say. */
  cwd: z.optional(z.string()),
  /** When something was last written to it. */
  at: z.string(),
  bytes: z.int(),
  model: z.optional(z.string()),
  /** Our session that continues it. */
  sessionId: z.optional(SessionId),
  /** The other program that has it open now. */
  driver: z.optional(z.object({ pid: z.int(), since: z.optional(z.string()), what: z.optional(z.string()) })),
});
export type PastConversation = z.infer<typeof PastConversation>;
export const PastList = z.object({ conversations: z.array(PastConversation), more: z.boolean() });
export type PastList = z.infer<typeof PastList>;
export const PastQuery = z.object({ cwd: z.optional(z.string()), q: z.optional(z.string().check(z.maxLength(200))) });

export const Project = z.object({ id: z.string(), path: z.string(), title: z.string(), sessions: z.int(), updatedAt: z.string(), agents: z.array(z.string()) });
export type Project = z.infer<typeof Project>;
export const ProjectList = z.object({ projects: z.array(Project) });
export const ProjectQuery = z.object({ agent: z.optional(z.string()) });

export const SessionList = z.object({ sessions: z.array(Session), nextCursor: z.optional(z.string()) });
export type SessionList = z.infer<typeof SessionList>;
export const EventList = z.object({ events: z.array(Event) });
export const AgentList = z.object({ agents: z.array(AgentDescription) });
export const PermissionList = z.object({ permissions: z.array(WaitingPermission) });
export const Health = z.object({ status: z.literal('ok'), version: z.string() });

/** The server itself: what people are asked for when something is wrong with it. */
export const About = z.object({
  version: z.string(),
  /** Of Node. */
  node: z.string(),
  platform: z.string(),
  hostname: z.string(),
  startedAt: z.string(),
  /** Where everything is stored. */
  dataFolder: z.optional(z.string()),
});
export type About = z.infer<typeof About>;

/** How many agents run here and how much they use; without a memory limit there is no `capBytes`. */
export const MachineNow = z.object({
  live: z.int(),
  maxLive: z.int(),
  memory: z.object({ usedBytes: z.int(), capBytes: z.optional(z.int()) }),
  freeDiskBytes: z.int(),
  /** What doesn't work on the server now and is retried. */
  problems: z.array(Problem),
});
export type MachineNow = z.infer<typeof MachineNow>;

/** A token without its secret, of which only a hash is stored. The owner's own token has no creation time. */
export const KnownToken = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  createdAt: z.optional(z.string()),
  /** Accurate to the minute if the server was killed. */
  lastUsedAt: z.optional(z.string()),
  /** The id of the person whose device has it. */
  person: z.optional(z.string()),
});
export type KnownToken = z.infer<typeof KnownToken>;
/** Whose token a request came with, and what it can do. */
export const Me = z.object({ id: z.string(), name: z.string(), role: Role });
export type Me = z.infer<typeof Me>;
export const TokenList = z.object({ tokens: z.array(KnownToken) });
export const NewTokenBody = z.object({ name: TokenName, role: Role });
export const NewToken = z.object({ name: z.string(), role: Role, token: z.string() });
export const RevokedToken = z.object({ name: z.string() });

/** Where the copy is, on the server. */
export const BackupAnswer = z.object({ path: z.string() });

/** Folders to choose from when a session is started. Without a path: the allowed folders themselves. */
export const FolderList = z.object({
  path: z.optional(z.string()),
  /** The folder above, if it is allowed too. */
  parent: z.optional(z.string()),
  folders: z.array(z.object({ name: z.string(), path: z.string(), isRepository: z.boolean() })),
});
export type FolderList = z.infer<typeof FolderList>;

/** The slash commands that a message to the agent can start with, as the agent reported them. */
export const CommandList = z.object({
  commands: z.array(z.object({ name: z.string(), description: z.optional(z.string()), argumentHint: z.optional(z.string()) })),
});
export type AgentCommand = z.infer<typeof CommandList>['commands'][number];

/** Files of a working folder, the best match first. `whole` is false if the folder has more files than were searched. */
export const FileNames = z.object({ files: z.array(z.string()), whole: z.boolean() });
export type FileNames = z.infer<typeof FileNames>;

/** Tags in use, most used first, and how many sessions have each. */
export const TagList = z.object({ tags: z.array(z.object({ tag: z.string(), sessions: z.int() })) });

/** What is stored for one person: recent folders and sessions, layout, drafts. The page defines its fields. */
export const PersonState = z.record(z.string(), z.unknown());
export type PersonState = z.infer<typeof PersonState>;

export const ExportFormat = z.enum(['md', 'html', 'json', 'recording']);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const PageQuery = z.object({
  after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  /** For a past session: its branch; without it, the one that the agent would continue. */
  branch: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LIMITS.pageMax))),
});

export const SessionQuery = z.object({
  status: z.optional(z.string()),
  agent: z.optional(z.string()),
  project: z.optional(z.string()),
  tag: z.optional(z.string()),
  q: z.optional(z.string()),
  /** `here`, `elsewhere` or `none`. */
  control: z.optional(z.string()),
  star: z.optional(z.stringbool()),
  archived: z.optional(z.stringbool()),
  /** Last used at or after, and before, a time. */
  since: z.optional(z.string()),
  until: z.optional(z.string()),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LIMITS.pageMax))),
  cursor: z.optional(z.string()),
});
export type SessionQuery = z.infer<typeof SessionQuery>;
