import type { BeatAnswer, Carrier, CarrierListener, Life, SealedChange } from './carrier.ts';

interface LocalMember {
  readonly life: Life;
  readonly facts: Uint8Array;
  readonly beatAt: number;
  readonly number: number;
  readonly hasLeft?: boolean;
}

/** The shared medium of carriers in one process. */
export class LocalExchange {
  readonly members = new Map<string, LocalMember>();
  readonly summaries = new Map<string, Map<string, Uint8Array>>();
  readonly receivers = new Map<string, CarrierListener>();

  constructor(readonly now: () => number = Date.now) {}

  /** Forgets everything, as a restarted Redis does. */
  wipe(): void {
    this.members.clear();
    this.summaries.clear();
  }
}

/** Connects machines of one process: for tests, and what the contract of carriers is measured against. */
export function openLocalCarrier(exchange: LocalExchange): Carrier {
  const own = new Set<string>();
  const deliver = (call: (listener: CarrierListener) => void): void => {
    for (const listener of exchange.receivers.values()) queueMicrotask(() => call(listener));
  };
  const store = (node: string, changes: readonly SealedChange[]): void => {
    const known = exchange.summaries.get(node) ?? new Map<string, Uint8Array>();
    for (const [name, summary] of changes) summary === null ? known.delete(name) : known.set(name, summary);
    exchange.summaries.set(node, known);
  };
  return {
    epochOf: async (node) => exchange.members.get(node)?.life.epoch ?? 0,
    beat: async (life, facts, number) => beatOf(exchange, life, facts, number),
    receive: async (life, listener) => {
      own.add(life.instance);
      exchange.receivers.set(life.instance, listener);
    },
    send: async (to, frame) => {
      const listener = exchange.receivers.get(to.instance);
      if (listener !== undefined) queueMicrotask(() => listener.frame(frame));
    },
    publish: async (node, changes, entry) => {
      store(node, changes);
      deliver((listener) => listener.logged(entry));
    },
    republish: async (node, summaries, entry) => {
      exchange.summaries.delete(node);
      store(node, summaries);
      deliver((listener) => listener.logged(entry));
    },
    summaries: async (node) => [...(exchange.summaries.get(node)?.values() ?? [])],
    leave: async ({ node, instance }) => {
      exchange.receivers.delete(instance);
      const member = exchange.members.get(node);
      if (member?.life.instance === instance) exchange.members.set(node, { ...member, hasLeft: true });
    },
    forget: async (node) => {
      exchange.members.delete(node);
      exchange.summaries.delete(node);
    },
    close: async () => {
      for (const instance of own) exchange.receivers.delete(instance);
    },
  };
}

function beatOf(exchange: LocalExchange, life: Life, facts: Uint8Array, number: number): BeatAnswer {
  const before = exchange.members.get(life.node);
  const known = before?.life;
  if (known !== undefined && (known.epoch > life.epoch || (known.epoch === life.epoch && known.instance !== life.instance))) {
    return { outcome: 'superseded', epoch: known.epoch };
  }
  const now = exchange.now();
  exchange.members.set(life.node, { life, facts, beatAt: now, number });
  const members = [...exchange.members.values()].map((member) => ({
    ...member.life,
    facts: member.facts,
    silentMs: now - member.beatAt,
    hasLeft: member.hasLeft === true,
  }));
  return { outcome: 'ok', isNew: known?.instance !== life.instance || before?.number !== number - 1, members };
}
