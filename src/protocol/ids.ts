import * as z from 'zod/mini';

/** A session of ours: one conversation with one agent, across all restarts of its process. */
export const SessionId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'a session id is 1 to 128 letters, digits, "_" or "-"'))
  .brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** Ids that start with "_" or "p_" belong to Signalbox itself; nobody can choose one. */
export const isReservedId = (id: string): boolean => isInternal(id) || id.startsWith('p_');

/** Streams that lists, search, activity and notifications leave out: the workspace, plans, and the sessions of scripts. */
export const isInternal = (id: string): boolean => id.startsWith('_');

/** Whether a stream of the journal is a session. The workspace and plans have streams, but no agent and no process. */
export const isSession = (id: string): boolean => !isInternal(id) || isScriptSession(id);

/** The session of a script or of a long git act, which Signalbox itself starts for another session. Lists and search leave it out. */
export const isScriptSession = (id: string): boolean => id.startsWith(SCRIPT_SESSION);
const SCRIPT_SESSION = '_script-';

/** One script of one session: the same script id always has the same session, so it is started once. */
export const scriptSessionOf = (scriptId: ScriptId): SessionId => `${SCRIPT_SESSION}${scriptId}` as SessionId;

/** Made by the caller, who uses the same one when it asks again. */
export const ScriptId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,118}$/, 'a script id is 1 to 118 letters, digits, "_" or "-"'))
  .brand<'ScriptId'>();
export type ScriptId = z.infer<typeof ScriptId>;

export const WorktreeId = z
  .string()
  .check(z.regex(/^w[0-9a-f]{12}$/, 'a worktree id starts with "w"'))
  .brand<'WorktreeId'>();
export type WorktreeId = z.infer<typeof WorktreeId>;

/** One life of an agent's process; its files are in a folder of this name. */
export const RunId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
  .brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;

/** Made by the sender; sending twice with the same id counts once. */
export const CommandId = z.string().check(z.minLength(1), z.maxLength(200)).brand<'CommandId'>();
export type CommandId = z.infer<typeof CommandId>;

/** Our own id: made from the run and the agent's own id of the request. */
export const RequestId = z.string().check(z.minLength(1), z.maxLength(300)).brand<'RequestId'>();
export type RequestId = z.infer<typeof RequestId>;

/** Names a checkpoint, and its ref in a side repository. */
export const CheckpointId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
  .brand<'CheckpointId'>();
export type CheckpointId = z.infer<typeof CheckpointId>;

export const TurnId = z.string().check(z.minLength(1), z.maxLength(300)).brand<'TurnId'>();
export type TurnId = z.infer<typeof TurnId>;

export const ItemId = z.string().check(z.minLength(1), z.maxLength(300)).brand<'ItemId'>();
export type ItemId = z.infer<typeof ItemId>;

export const AgentId = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9:._-]{0,63}$/, 'an agent id is lower case, such as "demo"'))
  .brand<'AgentId'>();
export type AgentId = z.infer<typeof AgentId>;

export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hexadecimal'));

export const requestIdOf = (run: RunId, agentRequestId: string): RequestId => `${run}:${agentRequestId}` as RequestId;
