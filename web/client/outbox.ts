import type { ClientFrame } from '../../src/protocol/frame.ts';

export type KeptFrame = Extract<ClientFrame, { type: 'input' | 'permission' }>;

/** Something a person sent, kept until the server says that it is durable. */
export interface OutboxEntry {
  readonly commandId: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly frame: KeptFrame;
}

/** Where unsent words outlive the page. */
export interface Outbox {
  /** Oldest first. */
  all(): Promise<readonly OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  remove(commandId: string): Promise<void>;
}

export function memoryOutbox(): Outbox {
  const entries = new Map<string, OutboxEntry>();
  return {
    all: async () => inOrder([...entries.values()]),
    put: async (entry) => void entries.set(entry.commandId, entry),
    remove: async (commandId) => void entries.delete(commandId),
  };
}

export const inOrder = (entries: readonly OutboxEntry[]): readonly OutboxEntry[] => [...entries].sort((a, b) => a.createdAt - b.createdAt);
