import { createHash } from 'node:crypto';
import { type Call, judgeBy } from '../../domain/policy/judge.ts';
import { propose } from '../../domain/policy/propose.ts';
import { asRule } from '../../domain/policy/unsaved-rule.ts';
import type { PreparedCommand } from '../../domain/session/commands.ts';
import type { Actor } from '../../protocol/actor.ts';
import { type CommandOf, isRefusal, type Receipt, type Refusal, type WorkspaceCommandOf } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Remember, RuleBody, RuleId, RulePattern, RuleScope } from '../../protocol/rule.ts';
import { contentOf } from '../loop/repeated-command.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { callAsked } from './call-of-request.ts';
import { checkedRule } from './check-rule.ts';
import { guardedFolders } from './guarded-folders.ts';
import { realPath } from './real-path.ts';

type AnswerCommand = CommandOf<'permission.answer'>;

/**
 * "Allow and remember" with one of our rules. The rule is stored just before the answer, and only if the answer will be accepted:
 * after a crash in between, the rule itself answers the request as the person intended.
 */
export function remember(session: SessionActor, asked: PreparedCommand, command: AnswerCommand, actor: Actor): Receipt | Refusal | undefined {
  if (command.remember === undefined) return undefined;
  if (!wantsRule(command.remember)) return guardRefusal(session, command);
  const refusal = session.refusalOf(asked, actor);
  if (refusal !== undefined) return refusal;
  const rule = ruleFor(session, command, command.remember);
  if (isRefusal(rule)) return rule;
  const create = creationOf(command, rule);
  return session.context.deps.journal.receipt(create.commandId) ?? session.context.workspace.command(create, actor, contentOf(create));
}

/** A rule that the agent stores itself would be one that we can't check. */
function guardRefusal(session: SessionActor, { requestId, updatedInput }: AnswerCommand): Refusal | undefined {
  const call = callAsked(session, requestId, updatedInput);
  const offered = call && propose(call, realPath, guardedFolders(session.context.deps));
  if (offered === undefined || !('guarded' in offered)) return undefined;
  return { refused: 'bad-request', message: `${offered.cannot} Allow it once. Nothing was changed.` };
}

/** The agent's own suggestions go back to the agent. We create a rule when the answer names one, or when it has no suggestions. */
const wantsRule = ({ rule, suggestions = [] }: Remember): boolean => rule !== undefined || suggestions.length === 0;

function ruleFor(session: SessionActor, { requestId, updatedInput }: AnswerCommand, wanted: Remember): RuleBody | Refusal {
  const call = callAsked(session, requestId, updatedInput);
  if (call === undefined) return { refused: 'not-found', message: 'There is no such request.' };
  const guarded = guardedFolders(session.context.deps);
  const pattern = wanted.rule ?? narrowest(call, guarded);
  if ('refused' in pattern) return pattern;
  const rule = checkedRule(session.context, { behavior: 'allow', ...pattern, agent: call.agent, scope: scopeOf(wanted, call) });
  if (isRefusal(rule) || matches(rule, call, guarded)) return rule;
  return { refused: 'bad-request', message: `The rule "${patternText(pattern)}" does not match the request it was made from. Nothing was changed.` };
}

function narrowest(call: Call, guarded: readonly string[]): RulePattern | Refusal {
  const offered = propose(call, realPath, guarded);
  return 'cannot' in offered ? { refused: 'bad-request', message: `${offered.cannot} Allow it once. Nothing was changed.` } : offered.proposals[0].pattern;
}

function scopeOf({ scope }: Remember, { sessionId, cwd }: Call): RuleScope {
  switch (scope) {
    case 'session':
      return { kind: 'session', sessionId };
    case 'project':
      return { kind: 'project', folder: cwd };
    case 'everywhere':
      return { kind: 'everywhere' };
  }
}

const matches = (body: RuleBody, call: Call, guarded: readonly string[]): boolean => judgeBy([asRule(body)], realPath, guarded)(call)?.behavior === 'allow';

const patternText = ({ tool, command, path, host }: RulePattern): string => `${tool} ${command ?? path ?? host ?? ''}`.trim();

/** The ids are derived from the answer's id: however often it is sent, it creates one rule. */
function creationOf({ commandId, requestId }: AnswerCommand, rule: RuleBody): WorkspaceCommandOf<'rule.create'> {
  const id = createHash('sha256').update(commandId).digest('base64url').slice(0, 22).replace(/^[-_]/, 'x');
  return { type: 'rule.create', commandId: `remember:${id}` as CommandId, ruleId: id as RuleId, rule, fromRequest: requestId };
}
