import { randomUUID } from 'node:crypto';
import type { PlanState } from '../../../src/protocol/api/plan.ts';
import { isRefusal, type Refusal } from '../../../src/protocol/command.ts';
import type { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { NodeId, type PlanCommand, type PlanHead, PlanId, type PlanNode, planStream } from '../../../src/protocol/plan.ts';
import { waitFor } from '../wait-for.ts';
import { ADA, type EngineSetup } from './test-engine.ts';

export const PLAN = PlanId.parse('build');
export const nodeId = (id: string): NodeId => NodeId.parse(id);

/** A step that thinks for a moment, unless told otherwise. */
export function step(id: string, needs: readonly string[] = [], more: Partial<Omit<PlanNode, 'id' | 'needs'>> = {}): PlanNode {
  return { id: nodeId(id), title: `Do ${id}`, prompt: `think about ${id}`, needs: needs.map(nodeId), ...more };
}

export const DIAMOND: readonly PlanNode[] = [step('top'), step('left', ['top']), step('right', ['top']), step('bottom', ['left', 'right'])];

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type Asked = DistributiveOmit<PlanCommand, 'commandId' | 'planId'> & { readonly commandId?: string };

/** Plans in an engine of a test. */
export function plansOf(setup: EngineSetup) {
  const ask = (command: Asked): Promise<object> => setup.engine.plan({ planId: PLAN, commandId: randomUUID() as CommandId, ...command } as PlanCommand, ADA);
  const act = async (command: Asked): Promise<void> => {
    const answer = await ask(command);
    if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`);
  };
  const state = (): PlanState => {
    const found = setup.engine.planState(PLAN);
    if (found === undefined) throw new Error('there is no plan');
    return found;
  };
  return {
    ask,
    act,
    state,
    refused: async (command: Asked): Promise<Refusal> => {
      const answer = await ask(command);
      if (!isRefusal(answer)) throw new Error('it was accepted');
      return answer;
    },
    create: (nodes: readonly PlanNode[], head: Partial<PlanHead> = {}, cwd = setup.folder): Promise<void> =>
      act({ type: 'plan.create', head: { title: 'Build it', defaults: { agent: 'demo' as never }, ...head }, cwd, nodes: [...nodes] }),
    node: (id: string) => {
      const found = state().nodes.find((node) => node.id === id);
      if (found === undefined) throw new Error(`there is no step ${id}`);
      return found;
    },
    until: (what: string, is: (plan: PlanState) => boolean): Promise<PlanState> => waitFor(`the plan is ${what}`, () => (is(state()) ? state() : undefined)),
    events: () => setup.engine.events(planStream(PLAN), { after: 0, limit: 10_000 }),
    session: (id: string, attempt = 1): SessionId => `p_${PLAN}_${id}_${attempt}_run1` as SessionId,
  };
}

export const statuses = ({ nodes }: PlanState): Record<string, string> => Object.fromEntries(nodes.map(({ id, status }) => [id, status]));
