import { rulesOfSession } from '../domain/policy/workspace.ts';
import { type Actor, SYSTEM } from '../protocol/actor.ts';
import { isRefusal, type Receipt, type Refusal, type WorkspaceCommand, type WorkspaceCommandOf } from '../protocol/command.ts';
import type { CommandId, SessionId } from '../protocol/ids.ts';
import { applyResetPreference } from './continue/at-reset.ts';
import type { EngineContext } from './loop/engine-context.ts';
import { contentOf, repeated } from './loop/repeated-command.ts';
import { applyRules } from './rules/apply-rules.ts';
import { checkedRule, checkedScope } from './rules/check-rule.ts';

/** Runs a command that belongs to no session. A new rule also applies to requests that are already pending. */
export async function commandWorkspace(context: EngineContext, command: WorkspaceCommand, actor: Actor): Promise<Receipt | Refusal> {
  const content = contentOf(command);
  const earlier = repeated(context.deps.journal, command, content);
  if (earlier !== undefined) return earlier;
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
  const checked = command.type === 'rule.create' ? checkedRule(context, command.rule) : undefined;
  if (checked !== undefined && isRefusal(checked)) return checked;
  const normalized = command.type === 'rule.create' && checked !== undefined ? { ...command, rule: checked } : command;
  if (command.type === 'continuation.prefer') return prefer(context, command, actor, content);
  const answer = context.workspace.command(normalized, actor, content);
  if (!isRefusal(answer) && command.type === 'rule.create') applyRules(context, context.sessions.values());
  return answer;
}

/** Whether sessions continue at the reset of a limit; applies at once to those that wait for one. */
function prefer(context: EngineContext, command: WorkspaceCommandOf<'continuation.prefer'>, actor: Actor, content: string): Receipt | Refusal {
  const scope = checkedScope(context, command.scope);
  if (isRefusal(scope)) return scope;
  const answer = context.workspace.command({ ...command, scope }, actor, content);
  if (!isRefusal(answer)) applyResetPreference(context);
  return answer;
}

/** A session's rules and preferences end with it, so a later session with the same id gets nothing that nobody granted. */
export function revokeRulesOf(context: EngineContext, sessionId: SessionId): void {
  for (const { id } of rulesOfSession(context.workspace.state, sessionId)) {
    const commandId = `ended:${context.deps.newId()}` as CommandId;
    context.workspace.command({ type: 'rule.revoke', commandId, ruleId: id, reason: 'its session was deleted' }, SYSTEM, '');
  }
  if (!context.workspace.state.atReset.some(({ scope }) => scope.kind === 'session' && scope.sessionId === sessionId)) return;
  const commandId = `ended:${context.deps.newId()}` as CommandId;
  context.workspace.command({ type: 'continuation.prefer', commandId, scope: { kind: 'session', sessionId }, choice: 'unset' }, SYSTEM, '');
}
