import { rulesOfSession } from '../domain/policy/workspace.ts';
import { type Actor, SYSTEM } from '../protocol/actor.ts';
import { type HouseCommand, isRefusal, type Receipt, type Refusal } from '../protocol/command.ts';
import type { CommandId, SessionId } from '../protocol/ids.ts';
import type { World } from './engine-context.ts';
import { contentOf, repeated } from './loop/repeated-command.ts';
import { speakAbout } from './rules/apply.ts';
import { checkedRule } from './rules/check.ts';

/** A command to the house itself. A new rule speaks at once, also about what waits already; a revoked one is silent from now on. */
export async function commandHouse(world: World, command: HouseCommand, actor: Actor): Promise<Receipt | Refusal> {
  const content = contentOf(command);
  const earlier = repeated(world.deps.journal, command, content);
  if (earlier !== undefined) return earlier;
  if (world.closing) return { refused: 'shutting-down', message: 'Signalbox is stopping. Send it again in a moment.' };
  const checked = command.type === 'rule.create' ? checkedRule(world, command.rule) : undefined;
  if (checked !== undefined && isRefusal(checked)) return checked;
  const meant = command.type === 'rule.create' && checked !== undefined ? { ...command, rule: checked } : command;
  const answer = world.house.command(meant, actor, content);
  if (!isRefusal(answer) && command.type === 'rule.create') speakAbout(world, world.boxes.values());
  return answer;
}

/** A session's rules end with it: another session of the same id may come, and nobody allowed anything to that one. */
export function revokeRulesOf(world: World, sessionId: SessionId): void {
  for (const { id } of rulesOfSession(world.house.state, sessionId)) {
    const commandId = `ended:${world.deps.newId()}` as CommandId;
    world.house.command({ type: 'rule.revoke', commandId, ruleId: id, reason: 'its session was deleted' }, SYSTEM, '');
  }
}
