import * as z from 'zod/mini';
import { CONFIGURED, type ConfiguredAgents } from './agents/index.ts';
import { AgentRuntime, type AgentRuntimes } from './agents/port/agent-runtime.ts';
import { AgentId } from './protocol/ids.ts';

/** What the config file says about agents. */
export interface AgentSettings {
  /** Executables by agent id. */
  readonly agentPaths: Readonly<Record<string, string>>;
  /** What each agent runs with, by agent id. */
  readonly agentRuntimes: AgentRuntimes;
  /** Agents that only the file defines. */
  readonly configuredAgents: ConfiguredAgents;
}

/** An invalid setting of an agent, by its name, and the reason. */
export class AgentSettingProblem extends Error {
  override readonly name = 'AgentSettingProblem';
  constructor(
    readonly setting: string,
    readonly reason: string,
  ) {
    super(`${setting}: ${reason}`);
  }
}

const Known = z.strictObject({ path: z.optional(z.string()), ...AgentRuntime.shape });

/** Reads `agents` of the file. A known id has its program's path and what it runs with; an id with the prefix of configured agents defines a whole agent. Throws `AgentSettingProblem`. */
export function readAgentSettings(agents: Readonly<Record<string, unknown>>): AgentSettings {
  const entries = Object.entries(agents);
  const configured = entries.filter(([id]) => isConfigured(id)).map(([id, raw]) => [idIn(id), parsed(id, CONFIGURED.schema, raw)] as const);
  const known = entries.filter(([id]) => !isConfigured(id)).map(([id, raw]) => [id, parsed(id, Known, raw)] as const);
  return {
    agentPaths: pathsById([...known.map(([id, { path }]) => [id, path] as const), ...configured.map(([id, agent]) => [id, CONFIGURED.path(agent)] as const)]),
    agentRuntimes: Object.fromEntries([...known, ...configured].map(([id, agent]) => [id, z.parse(AgentRuntime, agent)])),
    configuredAgents: Object.fromEntries(configured),
  };
}

const pathsById = (paths: readonly (readonly [id: string, path: string | undefined])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(paths.flatMap(([id, path]) => (path === undefined ? [] : [[id, path] as const])));

const isConfigured = (id: string): boolean => id.startsWith(CONFIGURED.prefix);

function idIn(id: string): string {
  if (id !== CONFIGURED.prefix && z.safeParse(AgentId, id).success) return id;
  throw new AgentSettingProblem(`agents.${id}`, `the id must be "${CONFIGURED.prefix}" and a lowercase name, such as "${CONFIGURED.prefix}my-agent"`);
}

function parsed<S extends z.core.$ZodType>(id: string, schema: S, raw: unknown): z.infer<S> {
  const result = z.safeParse(schema, raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AgentSettingProblem(['agents', id, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'unexpected shape');
}

/** The settings as they can be printed: an environment can contain keys. */
export const withoutSecrets = (agents: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(agents).map(([id, agent]) => [id, withoutEnv(agent)]));

function withoutEnv(agent: unknown): unknown {
  if (typeof agent !== 'object' || agent === null || !('env' in agent)) return agent;
  const names = typeof agent.env === 'object' && agent.env !== null ? Object.keys(agent.env) : [];
  return { ...agent, env: Object.fromEntries(names.map((name) => [name, 'set'])) };
}
