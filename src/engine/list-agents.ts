import type { Adapter } from '../agents/adapter.ts';
import type { AgentDescription } from '../protocol/http.ts';
import type { Capabilities, SessionOptions } from '../protocol/session.ts';
import { objectionTo } from './admission.ts';
import { agentCapabilities, lastTold } from './capabilities.ts';
import type { Locator } from './deps.ts';
import type { SessionBox } from './loop/session-actor.ts';

export interface AgentsHere {
  readonly adapters: Iterable<Adapter>;
  readonly locator: Locator;
  /** Every session there is. */
  readonly boxes: readonly Pick<SessionBox, 'state'>[];
  /** Ask every program for its version again. */
  readonly anew?: 'anew';
}

/** Every agent we can speak to, whether it is here, and if not what is wrong. */
export function describeAgents({ adapters, locator, boxes, anew }: AgentsHere): Promise<readonly AgentDescription[]> {
  return Promise.all(
    [...adapters].map(async (adapter) => {
      const { id, title, icon, verifiedWith } = adapter;
      const sessions = boxes.filter(({ state }) => state.born?.agent === id).length;
      const capabilities = agentCapabilities(adapter, boxes);
      const located = await locator.find(adapter, anew);
      const base = { id, title, icon, capabilities, capabilitiesBy: toldBy(adapter, boxes), verifiedWith: [...verifiedWith], sessions };
      return { ...base, ...located, refusedOptions: refusedOptions(adapter, located.available ? located.version : undefined, capabilities) };
    }),
  );
}

function toldBy(adapter: Adapter, boxes: AgentsHere['boxes']): NonNullable<AgentDescription['capabilitiesBy']> {
  if (adapter.tellsCapabilities !== true) return 'known';
  return lastTold(adapter.id, boxes) === undefined ? 'assumed' : 'told';
}

/** One value for each option that an agent may have nothing like: it is asked what it would say to that. */
const SAMPLES: Pick<
  SessionOptions,
  'addDirs' | 'allowedTools' | 'appendSystemPrompt' | 'disallowedTools' | 'fallbackModel' | 'maxTurns' | 'mcpConfigPath' | 'systemPrompt'
> = {
  addDirs: ['/'],
  allowedTools: ['Read'],
  appendSystemPrompt: 'x',
  disallowedTools: ['Read'],
  fallbackModel: 'x',
  maxTurns: 1,
  mcpConfigPath: '/',
  systemPrompt: 'x',
};

const refusedOptions = (adapter: Adapter, version: string | undefined, can: Capabilities): string[] =>
  Object.entries(SAMPLES).flatMap(([name, value]) => (objectionTo(adapter, { [name]: value }, version, can) === undefined ? [] : [name]));
