import type { ClientFrame } from '../../../src/protocol/frame.ts';

export type KeptFrame = Extract<ClientFrame, { type: 'input' | 'permission' }>;

/** Something a person sent, kept until the server says that it is durable. */
export interface OutboxEntry {
  readonly commandId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  /** Who made it; unset while nobody was ever known here, and in what an earlier release kept. */
  readonly by?: string;
  readonly frame: KeptFrame;
}

/** Where unsent words outlive the page. */
export interface Outbox {
  /** Oldest first, of everybody who ever used this browser. */
  all(): Promise<readonly OutboxEntry[]>;
  /** Resolves when the entry is kept for certain. */
  put(entry: OutboxEntry): Promise<void>;
  remove(commandId: string): Promise<void>;
  /** Who was here last, as far as this browser knows. */
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

/** For a browser that keeps nothing: whoever puts is told so. */
export const noOutbox = (): Outbox => ({
  all: async () => [],
  put: () => Promise.reject(new Error('this browser keeps nothing')),
  remove: async () => undefined,
  lastKnown: async () => undefined,
  know: async () => undefined,
});

export const inOrder = (entries: readonly OutboxEntry[]): readonly OutboxEntry[] => [...entries].sort((a, b) => a.createdAt - b.createdAt);
