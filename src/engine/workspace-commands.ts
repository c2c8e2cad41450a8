import { rulesOfSession } from '../domain/policy/workspace.ts';
import { type Actor, SYSTEM } from '../protocol/actor.ts';
import { isRefusal, type Receipt, type Refusal, type WorkspaceCommand } from '../protocol/command.ts';
import type { CommandId, SessionId } from '../protocol/ids.ts';
import type { EngineContext } from './loop/engine-context.ts';
import { contentOf, repeated } from './loop/repeated-command.ts';
import { applyRules } from './rules/apply-rules.ts';
import { checkedRule } from './rules/check-rule.ts';

/** Runs a command that belongs to no session. A new rule also applies to requests that are already pending. */
export async function commandWorkspace(context: EngineContext, command: WorkspaceCommand, actor: Actor): Promise<Receipt | Refusal> {
  const content = contentOf(command);
  const earlier = repeated(context.deps.journal, command, content);
  if (earlier !== undefined) return earlier;
  if (context.closing) return { refused: 'shutting-down', message: 'Signalbox is shutting down. Send this again in a moment.' };
  const checked = command.type === 'rule.create' ? checkedRule(context, command.rule) : undefined;
  if (checked !== undefined && isRefusal(checked)) return checked;
  const normalized = command.type === 'rule.create' && checked !== undefined ? { ...command, rule: checked } : command;
  const answer = context.workspace.command(normalized, actor, content);
  if (!isRefusal(answer) && command.type === 'rule.create') applyRules(context, context.sessions.values());
  return answer;
}

/** A session's rules end with it, so a later session with the same id gets no permissions that nobody granted. */
export function revokeRulesOf(context: EngineContext, sessionId: SessionId): void {
  for (const { id } of rulesOfSession(context.workspace.state, sessionId)) {
    const commandId = `ended:${context.deps.newId()}` as CommandId;
    context.workspace.command({ type: 'rule.revoke', commandId, ruleId: id, reason: 'its session was deleted' }, SYSTEM, '');
  }
}
