import * as z from 'zod/mini';
import { AgentId, SessionId } from './ids.ts';
import { PermissionMode, Status } from './session.ts';

/** The name under which agents see our tools, unless they already have a server with this name. */
export const TOOL_SERVER = 'signalbox';

/** Identifies one call of a tool: made from the run and the agent's own id of the call, or chosen by the caller. */
export const AskId = z.string().check(z.regex(/^[\w.:-]{1,120}$/, 'an askId is 1 to 120 letters, digits, ".", ":", "_" or "-"'));

const text = (most: number, about: string) => z.string().check(z.minLength(1), z.maxLength(most), z.describe(about));
const limit = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

export const FindSessions = z.strictObject({
  query: z.optional(text(200, 'words to find in the text of sessions; without it, the latest sessions')),
  status: z.optional(Status),
  limit: limit(50),
});

export const ReadSession = z.strictObject({
  sessionId: SessionId,
  before: z.optional(z.int().check(z.positive(), z.describe('read what came before this event number'))),
  limit: limit(200),
});

export const StartSession = z.strictObject({
  prompt: text(100_000, 'what the new agent should do; it knows nothing else'),
  title: z.optional(text(200, 'a short title')),
  agent: z.optional(AgentId.check(z.describe('default: the same agent as yours'))),
  cwd: z.optional(text(4096, 'your folder or one below it; default: your folder')),
  model: z.optional(text(200, 'default: the agent’s own')),
  permissionMode: z.optional(PermissionMode),
});

/** What people can set for a session and agents can't: each would be a way around what their person decided. */
export const PERSON_ONLY_OPTIONS = [
  'env',
  'flags',
  'addDirs',
  'mcpConfigPath',
  'systemPrompt',
  'appendSystemPrompt',
  'allowedTools',
  'disallowedTools',
  'maxTurns',
  'worktree',
  'node',
  'tools',
  'transport',
  'resume',
  'fork',
] as const;

export const SendToSession = z.strictObject({ sessionId: SessionId, text: text(100_000, 'the message') });

export const AskPerson = z.strictObject({
  question: text(4000, 'one clear question'),
  options: z.optional(z.array(text(200, 'a possible answer')).check(z.maxLength(10))),
  askId: z.optional(AskId),
});

export const Report = z.strictObject({
  state: z.enum(['progress', 'done']),
  summary: z.optional(text(8000, 'one or two sentences')),
  artifact: z.optional(text(4096, 'a file or address that holds the result')),
});

/** Lines count from 1. */
export const Annotate = z.strictObject({
  file: z.string().check(z.minLength(1), z.maxLength(4096)),
  line: z.int().check(z.positive()),
  lineEnd: z.optional(z.int().check(z.positive())),
  kind: z.enum(['action', 'question', 'note']),
  text: z.string().check(z.minLength(1), z.maxLength(8000)),
});

export const AnswerAnnotation = z.strictObject({
  label: z.string().check(z.maxLength(8)),
  text: z.string().check(z.minLength(1), z.maxLength(8000)),
});

export interface AgentTool {
  readonly name: ToolName;
  /** What the model reads. */
  readonly description: string;
  readonly input: z.ZodMiniType;
  /** It changes nothing, so several calls may run at once. */
  readonly readOnly: boolean;
  /** It makes sense only for an agent that Signalbox runs. */
  readonly onlyInRuns: boolean;
}

export const TOOL_NAMES = [
  'find_sessions',
  'read_session',
  'start_session',
  'send_to_session',
  'ask_person',
  'report',
  'annotate',
  'answer_annotation',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Every tool, once. All descriptions and schemas together stay below 1,500 tokens, because each agent pays for them in every request. */
export const AGENT_TOOLS: readonly AgentTool[] = [
  {
    name: 'find_sessions',
    description: 'Find sessions of coding agents on this machine, by words in their text or by status. Returns id, title, agent, folder, status and last line.',
    input: FindSessions,
    readOnly: true,
    onlyInRuns: false,
  },
  {
    name: 'read_session',
    description: 'Read the end of a session’s transcript as Markdown. Pass `before` to read further back.',
    input: ReadSession,
    readOnly: true,
    onlyInRuns: false,
  },
  {
    name: 'start_session',
    description:
      'Start another agent on a task of its own; returns its session id at once. It works in your folder, with at most your permissions. You can start at most 5 sessions. Its person sees it.',
    input: StartSession,
    readOnly: false,
    onlyInRuns: false,
  },
  {
    name: 'send_to_session',
    description: 'Queue a message for the agent of a session that you started, or that started you. For any other session a person is asked first.',
    input: SendToSession,
    readOnly: false,
    onlyInRuns: false,
  },
  {
    name: 'ask_person',
    description:
      'Ask the person you work for a question and wait for the answer, which may take hours. Use it when you need a decision, not for permission to run something. If the result says `waiting`, call again with its askId, or go on: the answer then comes as a message.',
    input: AskPerson,
    readOnly: false,
    onlyInRuns: true,
  },
  {
    name: 'report',
    description: 'Tell the person in one line how far you are (`progress`), or that you finished (`done`). Doesn’t wait.',
    input: Report,
    readOnly: false,
    onlyInRuns: true,
  },
  {
    name: 'annotate',
    description: 'Comment on lines of a file; a person decides what becomes of it.',
    input: Annotate,
    readOnly: false,
    onlyInRuns: true,
  },
  {
    name: 'answer_annotation',
    description: 'Answer one comment of a review, by its id.',
    input: AnswerAnnotation,
    readOnly: false,
    onlyInRuns: true,
  },
];

export const toolNamed = (name: string): AgentTool | undefined => AGENT_TOOLS.find((tool) => tool.name === name);

/** A tool as agents' own formats describe it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

/** For agents that Signalbox runs, or for a person's own program. */
export const listedTools = (isRun: boolean): readonly ListedTool[] =>
  AGENT_TOOLS.filter((tool) => isRun || !tool.onlyInRuns).map(({ name, description, input, readOnly }) => {
    const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return { name, description, inputSchema, readOnly };
  });
