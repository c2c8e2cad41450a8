import type { Adapter, Holder } from '../../agents/adapter.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { EngineDeps } from '../deps.ts';
import type { World } from '../engine-context.ts';
import { foreignHolders } from './external-drivers.ts';
import { HoldersUnknown } from './read-registry.ts';

/** Another program that holds a conversation, perhaps one that no session of ours has. */
export interface ForeignHolder extends Pick<Holder, 'agentSessionId' | 'pid' | 'since' | 'what'> {
  readonly agent: AgentId;
}

/** The sweep over our own sessions reads the same registries every 3 s. */
const FRESH_MS = 4_000;

export const WHO_HOLDS = 'see which other programs have a conversation open';

interface Seen {
  readonly at: number;
  readonly holders: readonly Holder[];
}

/** Who holds conversations, as the agents' registries last told it. */
export class HeldNow {
  private readonly seen = new Map<AgentId, Seen>();

  constructor(private readonly deps: Pick<EngineDeps, 'adapters' | 'envFor' | 'problems' | 'now'>) {}

  saw({ id }: Adapter, holders: readonly Holder[]): void {
    this.seen.set(id, { at: this.deps.now().getTime(), holders });
  }

  async all(world: World): Promise<readonly ForeignHolder[]> {
    const adapters = [...this.deps.adapters.values()].filter((adapter) => adapter.registry !== undefined);
    return (await Promise.all(adapters.map((adapter) => this.of(world, adapter)))).flat();
  }

  private async of(world: World, adapter: Adapter): Promise<readonly ForeignHolder[]> {
    const last = this.seen.get(adapter.id);
    const isFresh = last !== undefined && this.deps.now().getTime() - last.at < FRESH_MS;
    if (!isFresh) await this.look(world, adapter);
    return (this.seen.get(adapter.id)?.holders ?? []).map(({ start: _, ...holder }) => ({ ...holder, agent: adapter.id }));
  }

  /** What was known stays while nothing can be told. */
  private async look(world: World, adapter: Adapter): Promise<void> {
    try {
      this.saw(adapter, await foreignHolders(world, adapter, this.deps.envFor(adapter.id)));
      this.deps.problems.worked(WHO_HOLDS, adapter.id);
    } catch (error) {
      if (!(error instanceof HoldersUnknown)) throw error;
      this.deps.problems.failed(WHO_HOLDS, error, adapter.id);
    }
  }
}
