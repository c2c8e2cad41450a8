import { delimiter } from 'node:path';
import type { AgentRuntime, AgentRuntimes } from '../agents/port/agent-runtime.ts';
import type { AgentId } from '../protocol/ids.ts';

type Env = Readonly<Record<string, string>>;

/** The environment that each agent's processes inherit: always the same object for one agent. */
export function agentEnvs(env: Env, runtimes: AgentRuntimes): (agent: AgentId) => Env {
  const own = new Map(Object.entries(runtimes).map(([agent, runtime]) => [agent, runtime === undefined ? env : withRuntime(env, runtime)]));
  return (agent) => own.get(agent) ?? env;
}

/** A `PATH` among an agent's variables replaces ours; `prependPath` folders come first in any case. */
function withRuntime(env: Env, runtime: AgentRuntime): Env {
  const own = { ...env, ...runtime.env };
  const folders = runtime.prependPath ?? [];
  return folders.length === 0 ? own : { ...own, PATH: [...folders, own.PATH].filter((part) => part !== undefined && part !== '').join(delimiter) };
}

/** Error output can repeat secrets from the environment, so values of the agent's own variables are replaced by their names. */
export const withoutValues = (output: string, env: AgentRuntime['env'] = {}): string =>
  Object.entries(env).reduce((text, [name, value]) => (value.length < SHORTEST_SECRET ? text : text.replaceAll(value, `(the value of ${name})`)), output);

/** Shorter values aren't keys, and replacing them would garble the text. */
const SHORTEST_SECRET = 6;
