import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { Rule } from '../../protocol/rule.ts';
import type { Subject } from '../../protocol/subject.ts';
import type { Judgement } from '../policy/judge.ts';
import { pauseAfterInterrupt } from '../queue/pause.ts';
import type { Draft } from '../session/draft.ts';
import type { OpenPermission } from '../session/state.ts';
import { answerTrust } from '../worktree/decide.ts';
import { isTrustRequest } from '../worktree/trust-request.ts';
import { isHookRequest, noteAnswer } from './hook-request.ts';
import { askOfRequest, settleQuestion } from './tool-ask.ts';

/** A person's answer to a pending request. A late or second answer is refused with the outcome. */
export function answer(draft: Draft, command: CommandOf<'permission.answer'>): Refusal | undefined {
  const { requestId, behavior, message, updatedInput, answers, mode, interrupt, remember } = command;
  const open = draft.state.permissions.find((request) => request.requestId === requestId);
  const { run } = draft.state;
  if (open === undefined) return tooLate(draft, command);
  if (isTrustRequest(requestId)) return answerTrust(draft, open, command);
  const isInTerminal = isHookRequest(requestId);
  if (!isInTerminal && (run.phase === 'none' || draft.now.agentIsGone)) return { refused: 'conflict', message: 'The agent that asked has exited.' };
  if (!isInTerminal && run.phase === 'ending') return { refused: 'conflict', message: 'The agent that asked is shutting down and takes no more answers.' };
  const misfit = misfitOf(open, command);
  if (misfit !== undefined) return { refused: 'bad-request', message: misfit };
  const unable = cannotChange(draft, open, command);
  if (unable !== undefined) return unable;
  const denied = deniedChange(draft, open, command);
  if (denied !== undefined) return denied;
  const granted = grantedBy(open, command);
  const ask = askOfRequest(draft.state, requestId);
  draft.emit({
    type: 'permission.resolved',
    requestId,
    outcome: behavior === 'allow' ? 'allowed' : 'denied',
    behavior,
    commandId: command.commandId,
    ...(message !== undefined && { message }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(answers !== undefined && { answers }),
    ...(mode !== undefined && { mode }),
    ...(interrupt !== undefined && { interrupt }),
    ...(remember !== undefined && { remember }),
    ...(granted.length > 0 && { granted }),
  });
  if (isInTerminal) {
    noteAnswer(draft, open.asked.agentRequestId, behavior === 'allow' ? 'allowed' : 'denied', 'person');
    return undefined;
  }
  if (ask !== undefined) settleQuestion(draft, ask, command);
  else if (run.phase !== 'none') draft.effect({ type: 'send-answer', run: run.run, requestId });
  if (interrupt === true) pauseAfterInterrupt(draft, command.commandId);
  return undefined;
}

/** Why an answer does not match its request; such an answer must never reach the agent. */
function misfitOf(
  { asked }: OpenPermission,
  { behavior, answers, mode, remember, updatedInput, interrupt }: CommandOf<'permission.answer'>,
): string | undefined {
  if (behavior === 'deny' && (answers ?? mode ?? remember ?? updatedInput) !== undefined) {
    return 'A denial has a message and may interrupt; answers, mode, remember and updatedInput belong to an allow.';
  }
  if (behavior === 'allow' && interrupt) return 'An allow cannot interrupt: send "deny" with interrupt, or allow and interrupt afterwards.';
  if (answers !== undefined && asked.kind !== 'question') return 'Only a question takes answers.';
  if (mode !== undefined && asked.kind !== 'plan') return 'Only a plan takes a mode to continue in.';
  if (behavior === 'allow' && asked.kind === 'question' && answers === undefined && updatedInput === undefined)
    return 'Choose an answer, or deny to skip the question.';
  if (remember !== undefined && asked.kind !== 'tool') return 'Only a tool request can be remembered.';
  const unknown = remember?.suggestions?.find((number) => asked.suggestions?.[number] === undefined);
  return unknown === undefined ? undefined : `The request has no suggestion number ${unknown}.`;
}

/** An agent that would run the original call must not get a changed one: the request stays open. */
function cannotChange(draft: Draft, { asked }: OpenPermission, { updatedInput }: CommandOf<'permission.answer'>): Refusal | undefined {
  if (updatedInput === undefined || asked.kind !== 'tool' || draft.now.can.editInput) return undefined;
  if (JSON.stringify(updatedInput) === JSON.stringify(asked.input)) return undefined;
  return {
    refused: 'not-supported',
    message: 'This agent cannot run a changed call. Allow it unchanged, or deny it and say what to do instead. The request is still open.',
  };
}

/** A changed input is another call: it must not bypass a rule that denies it. */
function deniedChange(draft: Draft, { asked }: OpenPermission, { updatedInput }: CommandOf<'permission.answer'>): Refusal | undefined {
  if (updatedInput === undefined || asked.kind !== 'tool') return undefined;
  const judgement = judgementOf(draft, asked.tool, draft.now.subjectOf(asked.tool, updatedInput));
  if (judgement?.behavior !== 'deny') return undefined;
  const [rule] = judgement.rules;
  return {
    refused: 'not-permitted',
    message: `The rule "${nameOf(rule)}" denies your changed version${rule.note === undefined ? '' : `: ${rule.note}`}. Nothing was changed.`,
  };
}

function judgementOf(draft: Draft, tool: string, subject: Subject): Judgement | undefined {
  const { born, id } = draft.state;
  return born === null ? undefined : draft.now.judge({ agent: born.agent, sessionId: id, cwd: born.cwd, tool, subject });
}

const nameOf = (rule: Rule): string => rule.command ?? rule.path ?? rule.host ?? rule.tool;

function grantedBy({ asked }: OpenPermission, { remember }: CommandOf<'permission.answer'>): Record<string, unknown>[] {
  const chosen = new Set(remember?.suggestions);
  return (asked.suggestions ?? []).filter((_, number) => chosen.has(number));
}

function tooLate(draft: Draft, command: CommandOf<'permission.answer'>): Refusal {
  const closed = draft.state.closedPermissions.find((request) => request.requestId === command.requestId);
  if (closed === undefined) return { refused: 'not-found', message: 'There is no such request.' };
  const how = closed.reason === null ? `, by ${closed.by}` : `: ${closed.reason}`;
  return { refused: 'already-answered', message: `This request was already ${closed.outcome}${how}. Nothing was changed.` };
}

/** Applies the active rules to every open request: a rule can be newer than the request. */
export function judgeWaiting(draft: Draft): void {
  for (const open of draft.state.permissions) if (!isTrustRequest(open.requestId)) judgeOne(draft, open);
}

/** A rule's decision is an event with the rule as its author. */
export function judgeOne(draft: Draft, { requestId, asked }: OpenPermission): void {
  const { run } = draft.state;
  const isInTerminal = isHookRequest(requestId);
  const isListening = (run.phase === 'opened' || run.phase === 'ready') && !draft.now.agentIsGone;
  if (!(isListening || isInTerminal) || asked.kind !== 'tool') return;
  // Requests stored by an older Signalbox have no subject.
  const judgement = judgementOf(draft, asked.tool, asked.subject ?? draft.now.subjectOf(asked.tool, asked.input));
  if (judgement === undefined) return;
  const [author] = judgement.rules;
  draft.emit({
    type: 'permission.resolved',
    requestId,
    outcome: judgement.behavior === 'allow' ? 'allowed' : 'denied',
    behavior: judgement.behavior,
    actor: { kind: 'rule', id: author.id, name: nameOf(author) },
    rules: judgement.rules.map((rule) => rule.id),
    ...(judgement.behavior === 'deny' && { message: author.note ?? 'A rule on this server denies it.' }),
  });
  if (isInTerminal) return noteAnswer(draft, asked.agentRequestId, judgement.behavior === 'allow' ? 'allowed' : 'denied', 'rule');
  if (run.phase !== 'none') draft.effect({ type: 'send-answer', run: run.run, requestId });
}

/** The agent as the author of what it does by itself. */
export function agentOf({ state }: Draft): Actor {
  const agent = state.born?.agent ?? 'agent';
  return { kind: 'agent', id: agent, name: agent };
}

/** Closes pending requests that nobody can answer anymore. */
export function closeRequests(draft: Draft, outcome: 'cancelled' | 'lapsed', message: string, concerned: (open: OpenPermission) => boolean): void {
  // Whether a script may run does not depend on the agent, and what an agent in a terminal asks does not depend on ours.
  const isOfOurs = ({ requestId }: OpenPermission): boolean => !isTrustRequest(requestId) && !isHookRequest(requestId);
  for (const open of draft.state.permissions.filter((each) => isOfOurs(each) && concerned(each))) {
    draft.emit({ type: 'permission.resolved', requestId: open.requestId, outcome, message, actor: outcome === 'lapsed' ? SYSTEM : agentOf(draft) });
  }
}
