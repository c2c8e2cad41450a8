import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import { AskPerson } from '../../protocol/agent-tools.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { EventBodyOf } from '../../protocol/event.ts';
import { CommandId, type ItemId, type RequestId, requestIdOf } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { advance } from '../session/advance.ts';
import type { Draft } from '../session/draft.ts';
import { turnOf } from '../session/observations.ts';
import type { AnsweredAsk, OpenAsk, SessionState } from '../session/state.ts';
import { agentOf, closeRequests } from './answer.ts';

type Outcome = EventBodyOf<'tool.answered'>['outcome'];
interface Answer {
  readonly outcome: Outcome;
  readonly text: string;
  readonly code?: string;
  readonly repeats?: string;
}
type Call = Pick<EventBodyOf<'tool.asked'>, 'askId' | 'run' | 'tool' | 'input' | 'toolUseId' | 'agentRequestId'>;

/** The agent calls one of our tools. A question opens its card at once; what else the tool does is done outside, and comes back as `tool.answer`. */
export function askTool(draft: Draft, call: Call): void {
  if (knownAsk(draft.state, call.askId)) return;
  const isTooLong = JSON.stringify(call.input).length > LIMITS.inlineBytes;
  draft.emit({ type: 'tool.asked', ...call, ...(isTooLong && { input: {} }), actor: agentOf(draft), ...turnOf(draft) });
  const ask = draft.state.asks.find((open) => open.askId === call.askId);
  if (ask === undefined) return;
  if (draft.now.areToolsOff === true) return answerAsk(draft, ask, { outcome: 'refused', text: TOOLS_OFF, code: 'not-permitted' });
  if (isTooLong) return answerAsk(draft, ask, { outcome: 'refused', text: `The arguments are too long: at most ${LIMITS.inlineBytes} bytes.` });
  const earlier = answerBefore(draft.state, ask);
  if (earlier !== undefined) return answerAsk(draft, ask, { outcome: earlier.outcome, text: earlier.text, repeats: earlier.askId });
  if (ask.tool === 'ask_person') askPerson(draft, ask);
}

export const TOOLS_OFF = 'Signalbox’s tools are switched off for this session.';

const knownAsk = ({ asks, answeredAsks }: SessionState, askId: string): boolean => [...asks, ...answeredAsks].some((ask) => ask.askId === askId);

/** An agent that was restarted asks again under new ids. If the answer never reached it, it gets that answer now. */
function answerBefore({ answeredAsks }: SessionState, { tool, input, run }: OpenAsk): AnsweredAsk | undefined {
  const same = JSON.stringify(input);
  return answeredAsks.find(
    (old) => !old.isReceived && old.run !== run && old.tool === tool && old.outcome === 'answered' && JSON.stringify(old.input) === same,
  );
}

function askPerson(draft: Draft, ask: OpenAsk): void {
  const parsed = AskPerson.safeParse(ask.input);
  if (parsed.success) return openQuestion(draft, ask, parsed.data.question, parsed.data.options ?? []);
  const problem = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ');
  answerAsk(draft, ask, { outcome: 'refused', text: `ask_person was not called correctly. ${problem}` });
}

/** Shows a question to people, like any other question of the agent. */
function openQuestion(draft: Draft, ask: OpenAsk, question: string, options: readonly string[]): void {
  const requestId = requestOfAsk(ask);
  draft.emit({
    type: 'permission.requested',
    requestId,
    agentRequestId: `ask:${ask.askId}`,
    tool: ask.tool,
    input: { questions: [{ question, multiSelect: false, options: options.map((label) => ({ label })) }] },
    title: question,
    kind: 'question',
    subject: { kind: 'other' },
    itemId: requestId as string as ItemId,
    ...(ask.toolUseId !== null && { toolUseId: ask.toolUseId }),
    ...turnOf(draft),
  });
}

const requestOfAsk = ({ run, askId }: Pick<OpenAsk, 'run' | 'askId'>): RequestId => requestIdOf(run, `ask:${askId}`);

export const isQuestionOpen = ({ permissions }: SessionState, ask: OpenAsk): boolean => permissions.some((open) => open.requestId === requestOfAsk(ask));

export const askOfRequest = ({ asks }: SessionState, requestId: RequestId): OpenAsk | undefined => asks.find((ask) => requestOfAsk(ask) === requestId);

/** The choices on the card of a message to a session that is none of the agent's own. */
export const SEND = 'Send it';
export const DONT_SEND = 'Don’t send it';

/** A person answered the question of a call: that is its result, unless the person only allowed what the call asked for. */
export function settleQuestion(draft: Draft, ask: OpenAsk, { behavior, answers, updatedInput, message }: CommandOf<'permission.answer'>): void {
  const chosen = answers === undefined ? updatedInput && JSON.stringify(updatedInput) : Object.values(answers).flat().join(', ');
  if (ask.tool !== 'ask_person' && isApproval(behavior, chosen)) return;
  if (behavior === 'deny' || ask.tool !== 'ask_person') {
    const words = message ?? (chosen === DONT_SEND ? undefined : chosen);
    const text = ask.tool === 'ask_person' ? 'The person chose not to answer.' : 'A person decided against it.';
    return answerAsk(draft, ask, { outcome: 'refused', text: words === undefined || words === '' ? text : `${text} They said: ${words}` });
  }
  answerAsk(draft, ask, { outcome: 'answered', text: chosen ?? '' });
}

export const isApproval = (behavior: string | undefined, chosen: string | undefined): boolean => behavior === 'allow' && chosen === SEND;

/** The result goes back as the result of the very same call; over HTTP to a caller who waits, and otherwise as a message. */
export function answerAsk(draft: Draft, ask: OpenAsk, answer: Answer): void {
  const { askId, tool, run } = ask;
  const delivery = ask.agentRequestId !== null ? undefined : draft.now.isCalling?.(askId) === true ? 'call' : 'input';
  draft.emit({ type: 'tool.answered', askId, tool, ...answer, ...(delivery !== undefined && { delivery }), actor: answererOf(draft, ask) });
  if (delivery === undefined) return draft.effect({ type: 'send-tool-answer', run, askId });
  if (delivery === 'input') queueAnswer(draft, ask, answer.text);
}

/** What no person decided is the agent's own doing. */
const answererOf = (draft: Draft, { tool }: OpenAsk): Actor => (tool === 'ask_person' && draft.now.actor?.kind === 'person' ? draft.now.actor : agentOf(draft));

function queueAnswer(draft: Draft, { askId, tool, input }: OpenAsk, text: string): void {
  const about = tool === 'ask_person' && typeof input.question === 'string' ? `your question “${input.question}”` : `your call of ${tool}`;
  const commandId = CommandId.parse(`answer:${askId}`);
  if (draft.state.queue.some((waiting) => waiting.commandId === commandId)) return;
  draft.emit({ type: 'input.accepted', commandId, text: `The answer to ${about}:\n\n${text}`, mode: 'queue' });
  advance(draft, 'input.send');
}

/** Calls that nobody waits for anymore. Those over HTTP outlive their turn: the agent was told to go on. */
export function closeAsks(draft: Draft, outcome: 'cancelled' | 'lapsed', reason: string, concerned: (ask: OpenAsk) => boolean): void {
  for (const ask of draft.state.asks.filter(concerned)) {
    const { askId, tool } = ask;
    const requestId = requestOfAsk(ask);
    closeRequests(draft, outcome, reason, (open) => open.requestId === requestId);
    draft.emit({ type: 'tool.answered', askId, tool, outcome, text: reason, actor: outcome === 'lapsed' ? SYSTEM : agentOf(draft) });
  }
}

export const isOnBus = (ask: OpenAsk): boolean => ask.agentRequestId !== null;

/** Commands of the part that runs the tools. */
export function toolCommand(draft: Draft, command: CommandOf<'tool.ask' | 'tool.question' | 'tool.answer' | 'agent.refuse'>): Refusal | undefined {
  if (command.type === 'agent.refuse') {
    draft.emit({ type: 'agent.refused', run: command.run, what: command.what });
    return undefined;
  }
  const { askId } = command;
  if (command.type === 'tool.ask') {
    const { run } = draft.state;
    if ((run.phase !== 'opened' && run.phase !== 'ready') || run.run !== command.run) return { refused: 'not-permitted', message: 'This run has ended.' };
    askTool(draft, { askId, run: command.run, tool: command.tool, input: command.input });
    return undefined;
  }
  const ask = draft.state.asks.find((open) => open.askId === askId);
  if (ask === undefined) return { refused: 'not-found', message: 'Nobody waits for this call anymore.' };
  const { type } = command;
  if (type === 'tool.answer') {
    const { outcome, text, code } = command;
    answerAsk(draft, ask, { outcome, text, ...(code !== undefined && { code }) });
  } else if (!isQuestionOpen(draft.state, ask)) openQuestion(draft, ask, command.question, command.options);
  return undefined;
}
