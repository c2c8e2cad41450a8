import type { Adapter, Holder } from '../../agents/port/adapter.ts';
import type { AgentId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { EngineDeps } from '../loop/engine-deps.ts';
import { externalHolders } from './find-holders.ts';
import { HoldersUnknown } from './read-registry.ts';

/** Another program that has a conversation open, perhaps one that none of our sessions has. */
export interface ExternalHolder extends Pick<Holder, 'agentSessionId' | 'pid' | 'since' | 'what'> {
  readonly agent: AgentId;
}

/** The sweep over our own sessions reads the same registries every 3 s. */
const FRESH_MS = 4_000;

export const FIND_HOLDERS = 'see which other programs have a conversation open';

interface Seen {
  readonly at: number;
  readonly holders: readonly Holder[];
}

/** Which programs have conversations open, as last read from the agents' registries. */
export class OpenElsewhere {
  private readonly seen = new Map<AgentId, Seen>();

  constructor(private readonly deps: Pick<EngineDeps, 'adapters' | 'envFor' | 'problems' | 'now'>) {}

  saw({ id }: Adapter, holders: readonly Holder[]): void {
    this.seen.set(id, { at: this.deps.now().getTime(), holders });
  }

  async all(context: EngineContext): Promise<readonly ExternalHolder[]> {
    const adapters = [...this.deps.adapters.values()].filter((adapter) => adapter.registry !== undefined);
    return (await Promise.all(adapters.map((adapter) => this.of(context, adapter)))).flat();
  }

  private async of(context: EngineContext, adapter: Adapter): Promise<readonly ExternalHolder[]> {
    const last = this.seen.get(adapter.id);
    const isFresh = last !== undefined && this.deps.now().getTime() - last.at < FRESH_MS;
    if (!isFresh) await this.look(context, adapter);
    return (this.seen.get(adapter.id)?.holders ?? []).map(({ start: _, ...holder }) => ({ ...holder, agent: adapter.id }));
  }

  /** The last known holders stay while the registry can't be read. */
  private async look(context: EngineContext, adapter: Adapter): Promise<void> {
    try {
      this.saw(adapter, await externalHolders(context, adapter, this.deps.envFor(adapter.id)));
      this.deps.problems.worked(FIND_HOLDERS, adapter.id);
    } catch (error) {
      if (!(error instanceof HoldersUnknown)) throw error;
      this.deps.problems.failed(FIND_HOLDERS, error, adapter.id);
    }
  }
}
