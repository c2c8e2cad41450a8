import { delimiter } from 'node:path';
import type { AgentRuntime, AgentRuntimes } from '../agents/agent-runtime.ts';
import type { AgentId } from '../protocol/ids.ts';

type Env = Readonly<Record<string, string>>;

/** What the processes of each agent inherit: the same object each time for one agent. */
export function agentEnvs(env: Env, runtimes: AgentRuntimes): (agent: AgentId) => Env {
  const own = new Map(Object.entries(runtimes).map(([agent, runtime]) => [agent, runtime === undefined ? env : withRuntime(env, runtime)]));
  return (agent) => own.get(agent) ?? env;
}

/** `PATH` in the variables of an agent is the whole of it; folders come before whatever it is. */
function withRuntime(env: Env, runtime: AgentRuntime): Env {
  const own = { ...env, ...runtime.env };
  const folders = runtime.prependPath ?? [];
  return folders.length === 0 ? own : { ...own, PATH: [...folders, own.PATH].filter((part) => part !== undefined && part !== '').join(delimiter) };
}

/** Words of a program may repeat what it was given: values of an agent's own variables are named instead. */
export const withoutValues = (words: string, env: AgentRuntime['env'] = {}): string =>
  Object.entries(env).reduce((text, [name, value]) => (value.length < SHORTEST_SECRET ? text : text.replaceAll(value, `(the value of ${name})`)), words);

/** A shorter value is no key, and would tear words apart. */
const SHORTEST_SECRET = 6;
