import * as z from 'zod/mini';
import { AcpAgent } from './agents/acp/configured.ts';
import { ACP, acpPath } from './agents/acp/index.ts';
import { AgentId } from './protocol/ids.ts';

/** What the config file says about agents. */
export interface AgentSettings {
  /** Executables by agent id. */
  readonly agentPaths: Readonly<Record<string, string>>;
  /** Agents that are there because the file describes them. */
  readonly acpAgents: Readonly<Record<string, AcpAgent>>;
}

/** Words for a setting that cannot be used, under its name. */
export class AgentSettingProblem extends Error {
  override readonly name = 'AgentSettingProblem';
  constructor(
    readonly setting: string,
    readonly words: string,
  ) {
    super(`${setting}: ${words}`);
  }
}

const Known = z.object({ path: z.string() });

/** `agents` of the file: under the id of an agent where its program is; under `acp:<name>` a whole agent. Throws `AgentSettingProblem`. */
export function readAgentSettings(agents: Readonly<Record<string, unknown>>): AgentSettings {
  const entries = Object.entries(agents);
  const acp = entries.filter(([id]) => id.startsWith(ACP)).map(([id, raw]) => [idIn(id), parsed(id, AcpAgent, raw)] as const);
  const paths = entries.filter(([id]) => !id.startsWith(ACP)).map(([id, raw]) => [id, parsed(id, Known, raw).path] as const);
  const acpPaths = acp.flatMap(([id, agent]) => {
    const path = acpPath(agent);
    return path === undefined ? [] : [[id, path] as const];
  });
  return { agentPaths: Object.fromEntries([...paths, ...acpPaths]), acpAgents: Object.fromEntries(acp) };
}

function idIn(id: string): string {
  const parsedId = z.safeParse(AgentId, id);
  if (!parsedId.success || id === ACP)
    throw new AgentSettingProblem(`agents.${id}`, `is to be called "${ACP}" and a name in lower case, such as "${ACP}opencode"`);
  return id;
}

function parsed<S extends z.core.$ZodType>(id: string, schema: S, raw: unknown): z.infer<S> {
  const result = z.safeParse(schema, raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AgentSettingProblem(['agents', id, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'it has another shape');
}

/** What may be printed: an environment may hold keys. */
export const withoutSecrets = (agents: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(agents).map(([id, agent]) => [id, withoutEnv(agent)]));

function withoutEnv(agent: unknown): unknown {
  if (typeof agent !== 'object' || agent === null || !('env' in agent)) return agent;
  const names = typeof agent.env === 'object' && agent.env !== null ? Object.keys(agent.env) : [];
  return { ...agent, env: Object.fromEntries(names.map((name) => [name, 'set'])) };
}
