import type { Adapter } from '../agents/port/adapter.ts';
import type { Locator } from '../programs/located.ts';
import type { AgentDescription } from '../protocol/http.ts';
import type { Capabilities, SessionOptions } from '../protocol/session.ts';
import { unsupportedReasonFor } from './admission.ts';
import { agentCapabilities, lastReported } from './loop/capabilities.ts';
import type { SessionActor } from './loop/session-actor.ts';

export interface AgentListing {
  readonly adapters: Iterable<Adapter>;
  readonly locator: Locator;
  readonly sessions: readonly Pick<SessionActor, 'state'>[];
  /** Ask every program for its version again. */
  readonly rescan?: 'rescan';
}

/** Every agent we support, whether it is installed, and if not, why. */
export function describeAgents({ adapters, locator, sessions, rescan }: AgentListing): Promise<readonly AgentDescription[]> {
  return Promise.all(
    [...adapters]
      .filter(({ internal }) => !internal)
      .map(async (adapter) => {
        const { id, title, icon, verifiedWith } = adapter;
        const capabilities = agentCapabilities(adapter, sessions);
        const located = await locator.find(adapter, rescan);
        const base = {
          id,
          title,
          icon,
          capabilities,
          capabilitiesBy: capabilitiesSource(adapter, sessions),
          verifiedWith: [...verifiedWith],
          sessions: sessions.filter(({ state }) => state.born?.agent === id).length,
        };
        return { ...base, ...located, refusedOptions: refusedOptions(adapter, located.available ? located.version : undefined, capabilities) };
      }),
  );
}

function capabilitiesSource(adapter: Adapter, sessions: AgentListing['sessions']): NonNullable<AgentDescription['capabilitiesBy']> {
  if (adapter.reportsCapabilities !== true) return 'known';
  return lastReported(adapter.id, sessions) === undefined ? 'assumed' : 'told';
}

/** A sample value for each option that an agent may not support. */
const SAMPLES: Pick<
  SessionOptions,
  'addDirs' | 'allowedTools' | 'appendSystemPrompt' | 'disallowedTools' | 'fallbackModel' | 'maxTurns' | 'mcpConfigPath' | 'noTools' | 'systemPrompt'
> = {
  addDirs: ['/'],
  allowedTools: ['Read'],
  appendSystemPrompt: 'x',
  disallowedTools: ['Read'],
  fallbackModel: 'x',
  maxTurns: 1,
  mcpConfigPath: '/',
  noTools: true,
  systemPrompt: 'x',
};

const refusedOptions = (adapter: Adapter, version: string | undefined, can: Capabilities): string[] =>
  Object.entries(SAMPLES).flatMap(([name, value]) => (unsupportedReasonFor(adapter, { [name]: value }, version, can) === undefined ? [] : [name]));
