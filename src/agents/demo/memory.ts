import { join } from 'node:path';
import type { AgentMemory } from '../adapter.ts';

/** The agent writes `user` before it takes an input and `answered` when the turn is over; both name the input. */
export const memory: AgentMemory = {
  file: ({ agentSessionId, env }) => join(memoryFolder(env), `${agentSessionId}.jsonl`),
  recall(text, inputId) {
    const about = linesOf(text).filter((line) => line.id === inputId);
    if (about.some((line) => line.type === 'answered')) return 'answered';
    return about.some((line) => line.type === 'user') ? 'taken' : 'absent';
  },
};

/** Where the agent remembers its sessions: a folder of its own in the home folder, unless told otherwise. */
export const memoryFolder = (env: Readonly<Record<string, string | undefined>>): string => env.DEMO_AGENT_MEMORY ?? join(env.HOME ?? '.', '.signalbox-demo');

export interface Remembered {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly text?: unknown;
  readonly cwd?: unknown;
  readonly messages?: unknown;
  readonly at?: unknown;
}

/** Names of what the agent said in the turn that this line ends. */
export const messagesOf = ({ messages }: Remembered): readonly unknown[] => (Array.isArray(messages) ? messages : []);

/** Whole lines only: a death can leave half a line at the end. */
export const linesOf = (text: string): readonly Remembered[] => text.split('\n').flatMap((line) => lineOf(line) ?? []);

export function lineOf(line: string): Remembered | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
