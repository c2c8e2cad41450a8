import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { TOOLS_OFF } from '../../domain/permission/tool-ask.ts';
import type { News, ToolCall } from '../../engine/engine.ts';
import { type Problems, RETRY_MS } from '../../problems/problems.ts';
import {
  AGENT_TOOLS,
  Annotate,
  AnswerAnnotation,
  AskId,
  FindSessions,
  PERSON_ONLY_OPTIONS,
  ReadSession,
  SendToSession,
  StartSession,
  type ToolName,
  toolNamed,
} from '../../protocol/agent-tools.ts';
import { type CommandOf, isRefusal, REFUSAL_CODES, type Refusal } from '../../protocol/command.ts';
import { CommandId, type RunId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayActAs } from '../auth/roles.ts';
import { annotate, answerAnnotation } from './annotate.ts';
import { agentCaller, type ToolCaller, type ToolOutcome, type ToolSources } from './caller.ts';
import { findSessions, readSession } from './read-tools.ts';
import { type NeedsPerson, sendToSession } from './send-to-session.ts';
import { startSession } from './start-session.ts';

/** A call over HTTP must answer before clients give up on it: the shortest known limit is 60 s. */
export const WAIT_MS = 45_000;

export type ToolReply = { readonly state: 'answered'; readonly text: string } | { readonly state: 'waiting'; readonly askId: string } | Refusal;

/** Runs the tools. Every call of an agent is an event of its session first, so it survives this server, and only what is stored is answered. */
export interface ToolServer {
  /** A call over HTTP with the token of a run. Resolves with `waiting` if no person answers in time. */
  callFromRun(run: RunId, tool: string, input: unknown, how: HowCalled): Promise<ToolReply>;
  /** A call of a person's own program, with that person's rights. */
  callAsPerson(caller: ToolCaller, tool: string, input: unknown): Promise<ToolReply>;
  close(): void;
}

interface HowCalled {
  /** The caller's own id of the call. */
  readonly callId: unknown;
  /** Aborted when the caller no longer waits. */
  readonly gone: AbortSignal;
}

interface ToolContext extends ToolSources {
  readonly problems: Problems;
  readonly running: Set<string>;
  readonly waitMs: number;
}

export function openToolServer(sources: ToolSources, problems: Problems, waitMs = WAIT_MS): ToolServer {
  const context: ToolContext = { ...sources, problems, running: new Set(), waitMs };
  const runOpen = (sessionId?: ToolCall['sessionId']): void => {
    for (const call of context.engine.toolCalls(sessionId)) if (call.answer === undefined) runSoon(context, call);
  };
  const stop = context.engine.watch('*', (news) => isAboutTools(news) && runOpen('sessionId' in news ? news.sessionId : undefined));
  runOpen();
  return { callFromRun: (...call) => callFromRun(context, ...call), callAsPerson: (...call) => callAsPerson(context, ...call), close: stop };
}

/** A call came in, or a person agreed to one. */
const isAboutTools = (news: News): boolean => news.kind === 'events' && news.events.some(({ type }) => type === 'tool.asked' || type === 'permission.resolved');

const RUN_TOOLS = 'run the tools of agents';

/** A person answers `ask_person`; everything else is done here, once, also for calls that an earlier server left open. */
function runSoon(context: ToolContext, call: ToolCall): void {
  if (call.tool === 'ask_person' || context.running.has(call.askId) || (call.isQuestionOpen && !call.isApproved)) return;
  context.running.add(call.askId);
  context.problems.soonWithRetry(RUN_TOOLS, () => {
    void finish(context, call).then((isStored) => {
      context.running.delete(call.askId);
      const now = context.engine.toolCalls(call.sessionId).find(({ askId }) => askId === call.askId);
      if (now === undefined || now.answer !== undefined) return;
      // A person may have agreed before the question was reported as stored.
      if (now.isApproved && !call.isApproved) runSoon(context, now);
      else if (!isStored) context.problems.after(RUN_TOOLS, RETRY_MS, () => runSoon(context, now)).unref();
    });
  });
}

/** Whether the outcome is stored; a full disk can prevent it for a while. */
async function finish(context: ToolContext, call: ToolCall): Promise<boolean> {
  const { engine, problems } = context;
  const { sessionId } = call;
  try {
    const session = engine.session(sessionId);
    if (session === undefined) return true;
    const caller = agentCaller(context, session);
    const answer = await engine.submit(commandFor(call, await execute(context, caller, call)), caller.actor);
    if (isRefusal(answer) && answer.refused === 'disk-low') throw new Error(answer.message);
    problems.worked(RUN_TOOLS, sessionId);
    return true;
  } catch (error) {
    problems.failed(RUN_TOOLS, error, sessionId);
    return false;
  }
}

function commandFor({ sessionId, askId }: ToolCall, outcome: ToolOutcome | NeedsPerson): CommandOf<'tool.answer' | 'tool.question'> {
  const commandId = CommandId.parse(`tool-answer:${askId}`);
  if (typeof outcome === 'string') return { type: 'tool.answer', commandId, sessionId, askId, outcome: 'answered', text: outcome };
  if (isRefusal(outcome)) return { type: 'tool.answer', commandId, sessionId, askId, outcome: 'refused', text: outcome.message, code: outcome.refused };
  const { question, options } = outcome;
  return { type: 'tool.question', commandId: CommandId.parse(`tool-question:${askId}`), sessionId, askId, question, options: [...options] };
}

type Call = Pick<ToolCall, 'tool' | 'input' | 'askId' | 'isApproved'>;

async function execute(context: ToolContext, caller: ToolCaller, call: Call): Promise<ToolOutcome | NeedsPerson> {
  const { tool, askId } = call;
  const personOnly = tool === 'start_session' ? PERSON_ONLY_OPTIONS.find((name) => Object.hasOwn(call.input, name)) : undefined;
  if (personOnly !== undefined) return { refused: 'not-permitted', message: `Only people can set \`${personOnly}\` for a session. Leave it out.` };
  const parsed = inputOf(tool, call.input);
  if (isRefusal(parsed)) return parsed;
  switch (tool as ToolName) {
    case 'find_sessions':
      return findSessions(caller, z.parse(FindSessions, parsed.input));
    case 'read_session':
      return readSession(caller, context, z.parse(ReadSession, parsed.input));
    case 'start_session':
      return startSession(caller, context.engine, z.parse(StartSession, parsed.input), askId);
    case 'send_to_session':
      return sendToSession(caller, context.engine, z.parse(SendToSession, parsed.input), call);
    case 'ask_person':
      return { refused: 'not-supported', message: 'Only an agent that Signalbox runs can ask its person.' };
    case 'annotate':
      return annotate(context, caller, z.parse(Annotate, parsed.input), askId);
    case 'answer_annotation':
      return answerAnnotation(context, caller, z.parse(AnswerAnnotation, parsed.input), askId);
    case 'report':
      return 'Noted.';
  }
}

/** Unknown tools and arguments that don't match are refused with what is expected. */
export function inputOf(tool: string, input: unknown): { readonly input: unknown } | Refusal {
  const known = toolNamed(tool);
  if (known === undefined) return { refused: 'not-found', message: `There is no tool ${tool}. There are: ${AGENT_TOOLS.map(({ name }) => name).join(', ')}.` };
  const parsed = z.safeParse(known.input, input);
  if (parsed.success) return { input: parsed.data };
  const problems = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter((part) => part !== '').join(': '));
  return { refused: 'bad-request', message: `${tool} was not called correctly. ${problems.join('; ')}` };
}

async function callFromRun(context: ToolContext, run: RunId, tool: string, input: unknown, { callId, gone }: HowCalled): Promise<ToolReply> {
  const { engine } = context;
  const sessionId = engine.sessionOfRun(run);
  const session = sessionId === undefined ? undefined : engine.session(sessionId);
  if (session === undefined) return { refused: 'not-permitted', message: 'This run has ended.' };
  if (!engine.hasTools(session.id)) return { refused: 'not-permitted', message: TOOLS_OFF };
  const asked = z.safeParse(z.record(z.string(), z.unknown()), input);
  if (!asked.success) return { refused: 'bad-request', message: `${tool} was not called correctly. The arguments are a JSON object.` };
  if (toolNamed(tool) === undefined) return notFound(tool);
  const given = z.safeParse(AskId, asked.data.askId ?? callId);
  const shown = given.success ? given.data : `h${randomUUID()}`;
  const askId = `${createHash('sha256').update(session.id).digest('hex').slice(0, 12)}.${shown}`;
  const end = engine.holdToolCall(askId);
  // An answer that comes after the caller is gone has to be a message.
  gone.addEventListener('abort', end, { once: true });
  const waiting = waitForAnswer(context, session.id, askId, shown);
  try {
    const known = engine.toolCalls(session.id).find((call) => call.askId === askId);
    if (known?.answer !== undefined) {
      await takeBack(context, session, askId);
      return replyOf(known.answer);
    }
    const refused = known === undefined ? await ask(context, session, { run, askId, tool, input: asked.data }) : undefined;
    return refused ?? (await waiting.answer);
  } finally {
    waiting.stop();
    end();
  }
}

async function ask(
  context: ToolContext,
  session: Session,
  call: Pick<CommandOf<'tool.ask'>, 'run' | 'askId' | 'tool' | 'input'>,
): Promise<Refusal | undefined> {
  const { actor } = agentCaller(context, session);
  const commandId = CommandId.parse(`tool-ask:${call.askId}`);
  const receipt = await context.engine.submit({ type: 'tool.ask', commandId, sessionId: session.id, ...call }, actor);
  return isRefusal(receipt) ? receipt : undefined;
}

/** The answer came while nobody was calling and waits as a message. The caller is back and gets it now, so the message is no longer needed. */
async function takeBack(context: ToolContext, session: Session, askId: string): Promise<void> {
  const target = CommandId.parse(`answer:${askId}`);
  if (!session.queue.some(({ commandId, state }) => commandId === target && state === 'accepted')) return;
  const { actor } = agentCaller(context, session);
  await context.engine.submit({ type: 'input.cancel', commandId: CommandId.parse(`taken:${askId}`), sessionId: session.id, target }, actor);
}

const notFound = (tool: string): Refusal => {
  const known = inputOf(tool, {});
  return isRefusal(known) ? known : { refused: 'not-found', message: `There is no tool ${tool}.` };
};

/** The answer is an event like any other; the wait starts before the call does, so that none is missed. */
function waitForAnswer({ engine, problems, waitMs }: ToolContext, sessionId: Session['id'], askId: string, shown: string) {
  let stop: () => void = () => undefined;
  const answer = new Promise<ToolReply>((resolve) => {
    const timer = problems.after(RUN_TOOLS, waitMs, () => resolve({ state: 'waiting', askId: shown }));
    const unwatch = engine.watch(sessionId, (news) => {
      if (news.kind === 'deleted') resolve({ refused: 'session-deleted', message: 'The session was deleted.' });
      const events = news.kind === 'events' ? news.events : [];
      for (const event of events) if (event.type === 'tool.answered' && event.askId === askId) resolve(replyOf(event));
    });
    stop = () => {
      clearTimeout(timer);
      unwatch();
    };
  });
  return { answer, stop };
}

function replyOf({ outcome, text, code }: { readonly outcome: string; readonly text: string; readonly code?: string | undefined }): ToolReply {
  if (outcome === 'answered') return { state: 'answered', text };
  return { refused: REFUSAL_CODES.find((known) => known === code) ?? 'not-permitted', message: text };
}

async function callAsPerson(context: ToolContext, caller: ToolCaller, tool: string, input: unknown): Promise<ToolReply> {
  const known = toolNamed(tool);
  if (known === undefined) return notFound(tool);
  if (known.onlyInRuns) return { refused: 'not-supported', message: `${tool} is for agents that Signalbox runs.` };
  if (!known.readOnly && !mayActAs(caller.role, 'driver'))
    return { refused: 'not-permitted', message: `${tool} needs the role driver; yours is ${caller.role}.` };
  const asked = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
  if (!asked.success) return { refused: 'bad-request', message: `${tool} was not called correctly. The arguments are a JSON object.` };
  const outcome = await execute(context, caller, { tool, input: asked.data, askId: randomUUID(), isApproved: true });
  if (typeof outcome === 'string') return { state: 'answered', text: outcome };
  return isRefusal(outcome) ? outcome : { refused: 'not-permitted', message: outcome.question };
}
