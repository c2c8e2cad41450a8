import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { Actor, Role } from '../../protocol/actor.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Session } from '../../protocol/session.ts';
import { engineFor, hiddenFrom, indexFor, listsFor } from '../auth/access.ts';
import type { Inspector } from '../inspector/inspector.ts';

/** What the tools work on, for everybody. */
export interface ToolSources {
  readonly engine: Engine;
  readonly sessionList: Parameters<typeof listsFor>[0];
  readonly sessionIndex: SessionIndex;
  readonly inspector: Inspector;
}

/** Who calls a tool, and what they may see. */
export interface ToolCaller extends ToolSources {
  readonly actor: Actor;
  readonly role: Role;
  readonly hidden: () => ReturnType<typeof hiddenFrom>;
  /** The session of the agent that calls; undefined for a person's own program. */
  readonly session?: Session;
}

/** The text that the model reads, or why not. */
export type ToolOutcome = string | Refusal;

/** An agent sees no private session but its own, whoever it works for: it could pass on what it read. */
export function agentCaller(sources: ToolSources, session: Session): ToolCaller {
  const actor: Actor = { kind: 'agent', id: session.agent, name: session.agent, from: 'tool' };
  return { ...limited(sources, { id: `agent of ${session.id}`, role: 'viewer' }), actor, role: 'driver', session };
}

export const personCaller = (sources: ToolSources, actor: Actor, role: Role): ToolCaller => ({ ...limited(sources, { id: actor.id, role }), actor, role });

function limited(sources: ToolSources, who: { readonly id: string; readonly role: Role }): ToolSources & Pick<ToolCaller, 'hidden'> {
  const { engine, sessionList, sessionIndex, inspector } = sources;
  return {
    inspector,
    engine: engineFor(engine, () => who, sessionIndex),
    sessionList: listsFor(sessionList, engine, () => who),
    sessionIndex: indexFor(sessionIndex, engine, () => who),
    hidden: () => hiddenFrom(engine, who),
  };
}

/** Whether an agent's own session counts as visible: it is, even when it is private. */
export const isOwn = ({ session }: ToolCaller, id: string): boolean => session?.id === id;
