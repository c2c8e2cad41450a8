import * as z from 'zod/mini';
import type { ItemMarkBody } from '../../../src/protocol/command.ts';
import { type AgentCommand, CommandList, FileNames, RewindAnswer } from '../../../src/protocol/http.ts';
import type { RuleScope } from '../../../src/protocol/rule.ts';
import { Session } from '../../../src/protocol/session.ts';

export type Rewind = z.infer<typeof RewindAnswer>;

/** A conversation in the agent's own files, including those from a terminal. */
export const PastConversation = z.object({
  agentSessionId: z.string(),
  title: z.string(),
  /** When it last changed. */
  at: z.string(),
  /** Our session that continues it. */
  sessionId: z.optional(z.string()),
  /** The other program that has it open. */
  driver: z.optional(z.object({ pid: z.int(), what: z.optional(z.string()) })),
});
export type PastConversation = z.infer<typeof PastConversation>;

const PastList = z.object({ conversations: z.array(PastConversation) });

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;
type SettingName = 'model' | 'mode' | 'thinking';

/** Requests about one session. All throw the server's message if it refuses; the same command id twice is done once. */
export interface SessionApi {
  /** Changes a queued message: its text, its position (null for the end), or sends it into the running turn. */
  changeQueued(sessionId: string, target: string, change: QueuedChange, commandId: string): Promise<void>;
  cancelQueued(sessionId: string, target: string): Promise<void>;
  /** Holds back what is queued, continues with it, or cancels all of it. */
  changeQueue(sessionId: string, verb: 'pause' | 'resume' | 'clear'): Promise<void>;
  /** Sends a message under an id that makes it the same message whoever else sends it. */
  sendOnce(sessionId: string, text: string, commandId: string): Promise<void>;
  /** Whether sessions resume automatically when a usage limit resets. */
  preferAtReset(scope: RuleScope, choice: 'on' | 'off' | 'unset'): Promise<void>;
  set(sessionId: string, setting: SettingName, value: string): Promise<void>;
  resumeAutomatically(sessionId: string): Promise<void>;
  cancelAutomaticResume(sessionId: string): Promise<void>;
  sleep(sessionId: string): Promise<void>;
  wake(sessionId: string): Promise<void>;
  takeOver(sessionId: string): Promise<void>;
  setPrivate(sessionId: string, closed: boolean): Promise<void>;
  /** A copy that continues after the event, or at the end. */
  fork(sessionId: string, at: number | undefined, commandId: string): Promise<Session>;
  handOver(sessionId: string, how: string | undefined, commandId: string): Promise<Session>;
  rewind(sessionId: string, seq: number, dryRun: boolean): Promise<Rewind>;
  /** A star or a note on one message; null removes a note. */
  mark(sessionId: string, seq: number, marks: ItemMark): Promise<void>;
  /** This person has seen it up to this event. */
  see(sessionId: string, seq: number): Promise<void>;
  markUnread(sessionId: string): Promise<void>;
  /** Ends the session and forgets it. */
  remove(sessionId: string): Promise<void>;
  past(agent: string, cwd: string): Promise<readonly PastConversation[]>;
  /** The agent's slash commands. */
  commands(sessionId: string): Promise<readonly AgentCommand[]>;
  /** Matching files in the session's folder, best first. */
  fileNames(sessionId: string, find: string): Promise<FileNames>;
}

export type ItemMark = z.infer<typeof ItemMarkBody>;
export type QueuedChange = { readonly text: string } | { readonly before: string | null } | { readonly mode: 'steer' };

export function sessionApi(call: Call): SessionApi {
  const ask = (id: string, method: string, path: string, body?: unknown) => call(method, `api/sessions/${encodeURIComponent(id)}${path}`, body);
  const send = async (id: string, method: string, path: string, body?: unknown) => void (await ask(id, method, path, body));
  return {
    changeQueued: (id, target, change, commandId) => send(id, 'PATCH', `/queue/${encodeURIComponent(target)}`, { ...change, commandId }),
    cancelQueued: (id, target) => send(id, 'DELETE', `/queue/${encodeURIComponent(target)}`),
    changeQueue: (id, verb) => send(id, 'POST', `/queue/${verb}`, {}),
    sendOnce: (id, text, commandId) => send(id, 'POST', '/input', { text, commandId }),
    preferAtReset: async (scope, choice) => void (await call('PUT', 'api/continuation', { scope, choice })),
    set: (id, setting, value) => send(id, 'PUT', SETTINGS[setting].path, { [SETTINGS[setting].field]: value }),
    resumeAutomatically: (id) => send(id, 'POST', '/continuation', {}),
    cancelAutomaticResume: (id) => send(id, 'DELETE', '/continuation'),
    sleep: (id) => send(id, 'POST', '/sleep', {}),
    wake: (id) => send(id, 'POST', '/wake', {}),
    takeOver: (id) => send(id, 'POST', '/takeover', {}),
    setPrivate: (id, closed) => send(id, 'PATCH', '', { closed }),
    fork: async (id, at, commandId) => Session.parse(await ask(id, 'POST', '/fork', { commandId, ...(at !== undefined && { at }) })),
    handOver: async (id, how, commandId) => Session.parse(await ask(id, 'POST', '/handover', { commandId, ...(how !== undefined && { how }) })),
    rewind: async (id, seq, dryRun) => RewindAnswer.parse(await ask(id, 'POST', '/rewind', { seq, dryRun })),
    commands: async (id) => CommandList.parse(await ask(id, 'GET', '/commands')).commands,
    fileNames: async (id, find) => FileNames.parse(await ask(id, 'GET', `/file-names?find=${encodeURIComponent(find)}`)),
    mark: (id, seq, marks) => send(id, 'PATCH', `/items/${seq}`, marks),
    see: (id, seq) => send(id, 'PUT', '/seen', { seq }),
    markUnread: (id) => send(id, 'DELETE', '/seen'),
    remove: (id) => send(id, 'DELETE', ''),
    past: async (agent, cwd) => PastList.parse(await call('GET', `api/agents/${encodeURIComponent(agent)}/past?cwd=${encodeURIComponent(cwd)}`)).conversations,
  };
}

const SETTINGS = {
  model: { path: '/model', field: 'model' },
  mode: { path: '/permission-mode', field: 'mode' },
  thinking: { path: '/thinking', field: 'thinking' },
} as const;
