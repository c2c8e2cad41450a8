import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { Draft } from '../session/draft.ts';
import type { OpenPermission } from '../session/state.ts';

/** A person's answer to a request that waits. A late or second one is told what happened. */
export function answer(draft: Draft, command: CommandOf<'permission.answer'>): Refusal | undefined {
  const { requestId, behavior, message, updatedInput, answers, mode, interrupt, remember } = command;
  const open = draft.state.permissions.find((request) => request.requestId === requestId);
  const { run } = draft.state;
  if (open === undefined) return tooLate(draft, command);
  if (run.phase === 'none') return { refused: 'conflict', message: 'The agent that asked is gone.' };
  const misfit = misfitOf(open, command);
  if (misfit !== undefined) return { refused: 'bad-request', message: misfit };
  const granted = grantedBy(open, command);
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
  draft.effect({ type: 'send-answer', run: run.run, requestId });
  return undefined;
}

/** Why an answer does not fit its request; the agent must never be left to find out. */
function misfitOf(
  { asked }: OpenPermission,
  { behavior, answers, mode, remember, updatedInput, interrupt }: CommandOf<'permission.answer'>,
): string | undefined {
  if (behavior === 'deny' && (answers ?? mode ?? remember ?? updatedInput) !== undefined) {
    return 'A denial has a message and may interrupt; answers, mode, remember and updatedInput belong to an allow.';
  }
  if (behavior === 'allow' && interrupt) return 'An allow cannot interrupt: send "deny" with interrupt, or allow and interrupt afterwards.';
  if (answers !== undefined && asked.kind !== 'question') return 'Only a question takes answers.';
  if (mode !== undefined && asked.kind !== 'plan') return 'Only a plan takes a mode to go on in.';
  if (behavior === 'allow' && asked.kind === 'question' && answers === undefined && updatedInput === undefined)
    return 'Choose an answer, or deny to skip the question.';
  if (remember !== undefined && asked.kind !== 'tool') return 'Only the use of a tool can be remembered.';
  const unknown = remember?.suggestions?.find((number) => asked.suggestions?.[number] === undefined);
  return unknown === undefined ? undefined : `The request has no suggestion number ${unknown}.`;
}

function grantedBy({ asked }: OpenPermission, { remember }: CommandOf<'permission.answer'>): Record<string, unknown>[] {
  const chosen = new Set(remember?.suggestions);
  return (asked.suggestions ?? []).filter((_, number) => chosen.has(number));
}

function tooLate(draft: Draft, command: CommandOf<'permission.answer'>): Refusal {
  const closed = draft.state.closedPermissions.find((request) => request.requestId === command.requestId);
  if (closed === undefined) return { refused: 'not-found', message: 'There is no such request.' };
  return { refused: 'already-answered', message: `This request was ${closed.outcome} already, by ${closed.by}. Nothing was changed.` };
}

/** Lets the rules in force speak about every request that waits: a rule may have come after the question. */
export function judgeWaiting(draft: Draft): void {
  for (const open of draft.state.permissions) judgeOne(draft, open);
}

/** A rule's decision is an event with the rule as its author. */
export function judgeOne(draft: Draft, { requestId, asked }: OpenPermission): void {
  const { born, run, id } = draft.state;
  if (born === null || run.phase === 'none' || asked.kind !== 'tool') return;
  const { tool, subject = { kind: 'other' } } = asked;
  const judgement = draft.now.judge({ agent: born.agent, sessionId: id, cwd: born.cwd, tool, subject });
  if (judgement === undefined) return;
  const [author] = judgement.rules;
  draft.emit({
    type: 'permission.resolved',
    requestId,
    outcome: judgement.behavior === 'allow' ? 'allowed' : 'denied',
    behavior: judgement.behavior,
    actor: { kind: 'rule', id: author.id, name: author.command ?? author.path ?? author.host ?? author.tool },
    rules: judgement.rules.map((rule) => rule.id),
    ...(judgement.behavior === 'deny' && { message: author.note ?? 'A rule of this server denies it.' }),
  });
  draft.effect({ type: 'send-answer', run: run.run, requestId });
}

/** Closes requests that wait, because nobody can answer them any more. */
export function closeRequests(draft: Draft, outcome: 'cancelled' | 'lapsed', message: string, concerned: (open: OpenPermission) => boolean): void {
  for (const open of draft.state.permissions.filter(concerned)) {
    draft.emit({ type: 'permission.resolved', requestId: open.requestId, outcome, message });
  }
}
