import { setTimeout as pause } from 'node:timers/promises';
import type { AgentHooks, HookCall } from '../../agents/port/hooks.ts';
import { IN_THE_TERMINAL } from '../../domain/permission/hook-ask.ts';
import { hookRequestOf } from '../../domain/permission/hook-request.ts';
import { withContext } from '../../domain/queue/context.ts';
import { lentIn, nextToLend, refusedToPoll } from '../../domain/queue/lease.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type Command, isRefusal, type Receipt, type Refusal } from '../../protocol/command.ts';
import { type AgentId, CommandId, type SessionId } from '../../protocol/ids.ts';
import { sessionOfConversation } from '../continue/list-conversations.ts';
import type { LentMessage, TerminalReport, Terminals } from '../engine.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { verdictOf } from '../loop/outbox.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { fullMessage } from '../loop/store-blobs.ts';

type Submit = (command: Command, actor: Actor) => Promise<Receipt | Refusal>;

/** Agents that run in terminals, outside Signalbox, and report through their hooks; and programs that poll for messages. */
export function openTerminals(context: EngineContext, submit: Submit): Terminals {
  const actorOf = (id: SessionId): SessionActor | undefined => {
    const session = context.sessions.get(id);
    return session?.state.deleted ? undefined : session;
  };
  return {
    report: (report, actor) => hear(context, submit, report, actor),
    isReported: (id) => actorOf(id)?.state.terminal !== undefined,
    asks: () => [...context.sessions.values()].flatMap(({ state }) => (state.terminal?.asks ?? []).map(({ askId }) => ({ sessionId: state.id, askId }))),
    ask: (askId) => stateOfAsk(context, askId),
    settle: async (askId, reason, lapsed) => {
      const session = sessionOfAsk(context, askId);
      if (session === undefined) return;
      const commandId = CommandId.parse(`hook-settle:${askId}`);
      await submit({ type: 'hook.settle', commandId, sessionId: session.state.id, askId, reason, lapsed }, reporterOf(session));
    },
    poll: (id) => {
      const state = actorOf(id)?.state;
      if (state === undefined) return { refused: 'not-found', message: `There is no session ${id}.` };
      return refusedToPoll(state) ?? (nextToLend(state) === undefined ? 'empty' : 'ready');
    },
    lent: (id) => lentMessage(actorOf(id)),
    holdPoll: (id) => holdPoll(context, id),
  };
}

const agentActor = (agent: AgentId): Actor => ({ kind: 'agent', id: agent, name: agent, from: 'hook' });
const reporterOf = ({ state }: SessionActor): Actor => agentActor(state.born?.agent ?? ('agent' as AgentId));

/** What one hook reported: it becomes part of its session, which is adopted if nobody has it here yet. */
async function hear(context: EngineContext, submit: Submit, { agent, payload, askId, commandId }: TerminalReport, actor: Actor) {
  const hooks = context.deps.adapters.get(agent)?.hooks;
  const call = hooks?.read(payload);
  if (hooks === undefined || call === undefined) return NOTHING;
  const sessionId = await sessionOf(context, agent, call);
  if (sessionId === undefined) return NOTHING;
  if (call.kind === 'ran') return { sessionId, ...(await ran(context, submit, sessionId, call)) };
  const receipt = await submit(commandFor(call, { sessionId, commandId, askId }), actor);
  if (isRefusal(receipt)) return receipt;
  return { sessionId, ...(call.kind === 'told' && call.event === 'Stop' && { stopped: call.isContinuing === true ? ('again' as const) : ('first' as const) }) };
}

const NOTHING = {};

function commandFor(
  call: Exclude<HookCall, { kind: 'ran' }>,
  { sessionId, commandId, askId }: { sessionId: SessionId; commandId: CommandId; askId: string },
): Command {
  if (call.kind === 'told') return { type: 'hook.report', commandId, sessionId, event: call.event, ...(call.text !== undefined && { text: call.text }) };
  const { tool, input, request: kind, subject, suggestions } = call;
  return { type: 'hook.ask', commandId, sessionId, askId, tool, input, kind, subject, suggestions: [...suggestions] };
}

/** A call ran, so somebody allowed it. If two such calls wait, it is unknown which one it was: both stay open. */
async function ran(context: EngineContext, submit: Submit, sessionId: SessionId, { tool, input }: Extract<HookCall, { kind: 'ran' }>) {
  const session = context.sessions.get(sessionId);
  if (session === undefined) return {};
  const same = JSON.stringify(input);
  const waiting = (session.state.terminal?.asks ?? []).filter(({ requestId }) =>
    session.state.permissions.some((open) => open.requestId === requestId && open.asked.tool === tool && JSON.stringify(open.asked.input) === same),
  );
  const [only] = waiting;
  if (only === undefined || waiting.length > 1) return {};
  const commandId = CommandId.parse(`hook-settle:${only.askId}`);
  await submit({ type: 'hook.settle', commandId, sessionId, askId: only.askId, reason: IN_THE_TERMINAL }, reporterOf(session));
  return {};
}

/** The agent writes its record moments before or after it asks. */
const RECORD_TRIES = 15;
const RECORD_PAUSE_MS = 200;

async function sessionOf(context: EngineContext, agent: AgentId, { agentSessionId, kind }: HookCall): Promise<SessionId | undefined> {
  for (let tries = 1; ; tries += 1) {
    const own = sessionOfConversation(context, agent, agentSessionId);
    if (own !== undefined) return own;
    if (kind === 'ran') return undefined; // It never asked, so nothing waits.
    const found = await context.deps.past?.readNow(agent, agentSessionId);
    if (found !== undefined && found.lastSeq > 0) return found.id;
    if (kind !== 'asked' || tries === RECORD_TRIES) return undefined;
    await pause(RECORD_PAUSE_MS);
  }
}

function sessionOfAsk(context: EngineContext, askId: string): SessionActor | undefined {
  return [...context.sessions.values()].find(({ state }) =>
    [...(state.terminal?.asks ?? []), ...(state.terminal?.answered ?? [])].some((one) => one.askId === askId),
  );
}

function stateOfAsk(context: EngineContext, askId: string): ReturnType<Terminals['ask']> {
  const session = sessionOfAsk(context, askId);
  if (session === undefined) return undefined;
  const { id, terminal } = session.state;
  if (terminal?.asks.some((open) => open.askId === askId)) return { state: 'open', sessionId: id };
  const seq = terminal?.answered.find((one) => one.askId === askId)?.seq ?? 0;
  const output = session.adapter.hooks === undefined ? undefined : answerAt(session, session.adapter.hooks, askId, seq);
  return output === undefined ? { state: 'closed', sessionId: id } : { state: 'answered', sessionId: id, output };
}

/** What the agent is told; nothing if nobody decided it here. */
function answerAt({ context: { deps }, state: { id } }: SessionActor, hooks: AgentHooks, askId: string, seq: number): string | undefined {
  const [resolved] = deps.journal.after(id, seq - 1, 1);
  if (resolved?.type !== 'permission.resolved' || resolved.behavior === undefined) return undefined;
  const asked = deps.journal
    .before(id, seq, ASKED_WITHIN)
    .findLast((event) => event.type === 'permission.requested' && event.requestId === hookRequestOf(askId));
  return asked?.type === 'permission.requested' ? hooks.decision(verdictOf(resolved), asked.input) : undefined;
}

/** A request may wait for days while its session goes on. */
const ASKED_WITHIN = 10_000;

function lentMessage(session: SessionActor | undefined): LentMessage | undefined {
  const input = session && lentIn(session.state);
  if (session === undefined || input === undefined) return undefined;
  const whole = fullMessage(session.context.deps.journal, input);
  const text = withContext(whole.text, input.context);
  const hookOutput = session.adapter.hooks?.message(text, session.adapter.inputId(input.commandId));
  return { commandId: input.commandId, text: whole.text, images: whole.images, context: input.context, ...(hookOutput !== undefined && { hookOutput }) };
}

/** The session shows that somebody polls for its messages, until the returned function is called. */
function holdPoll(context: EngineContext, id: SessionId): () => void {
  const change = (by: number): void => {
    const now = (context.pollers.get(id) ?? 0) + by;
    if (now > 0) context.pollers.set(id, now);
    else context.pollers.delete(id);
    if (now === 0 || (now === 1 && by === 1)) context.sessions.get(id)?.publishSummary();
  };
  change(1);
  let isHeld = true;
  return () => {
    if (isHeld) change(-1);
    isHeld = false;
  };
}
