import type { ClientFrame } from '../../../src/protocol/frame.ts';

export type OutboxFrame = Extract<ClientFrame, { type: 'input' | 'permission' }>;

/** Something the user sent, stored until the server says that it is durable. */
export interface OutboxEntry {
  readonly commandId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  /** The author; unset before the first sign-in and in entries of an earlier release. */
  readonly by?: string;
  readonly frame: OutboxFrame;
}

/** Stores unsent commands. */
export interface Outbox {
  /** Oldest first, of every user of this browser. */
  all(): Promise<readonly OutboxEntry[]>;
  /** Resolves when the entry is durable. */
  put(entry: OutboxEntry): Promise<void>;
  remove(commandId: string): Promise<void>;
  /** The last user of this browser. */
  lastKnown(): Promise<string | undefined>;
  know(who: string): Promise<void>;
}

export function memoryOutbox(): Outbox {
  const entries = new Map<string, OutboxEntry>();
  let last: string | undefined;
  return {
    all: async () => inOrder([...entries.values()]),
    put: async (entry) => void entries.set(entry.commandId, entry),
    remove: async (commandId) => void entries.delete(commandId),
    lastKnown: async () => last,
    know: async (who) => {
      last = who;
    },
  };
}

/** For a browser without storage: `put` rejects. */
export const noOutbox = (): Outbox => ({
  all: async () => [],
  put: () => Promise.reject(new Error('this browser stores nothing')),
  remove: async () => undefined,
  lastKnown: async () => undefined,
  know: async () => undefined,
});

export const inOrder = (entries: readonly OutboxEntry[]): readonly OutboxEntry[] => [...entries].sort((a, b) => a.createdAt - b.createdAt);
