import { join } from 'node:path';
import { jsonObject } from '../../formats/json-object.ts';
import type { AgentFile } from '../../port/adapter.ts';

/** The agent writes `user` before it takes an input and `answered` when the turn ends; both name the input. */
export const memory: AgentFile = {
  file: ({ agentSessionId, env }) => join(sessionFolder(env), `${agentSessionId}.jsonl`),
  recall(text, inputId) {
    const about = linesOf(text).filter((line) => line.id === inputId);
    if (about.some((line) => line.type === 'answered')) return 'answered';
    return about.some((line) => line.type === 'user') ? 'taken' : 'absent';
  },
};

/** Where the agent stores its sessions: its own folder in the home folder, unless the environment names another. */
export const sessionFolder = (env: Readonly<Record<string, string | undefined>>): string => env.DEMO_AGENT_MEMORY ?? join(env.HOME ?? '.', '.signalbox-demo');

export interface SessionFileLine {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly text?: unknown;
  readonly cwd?: unknown;
  readonly messages?: unknown;
  readonly at?: unknown;
}

/** Names of the agent's texts in the turn that this line ends. */
export const messagesOf = ({ messages }: SessionFileLine): readonly unknown[] => (Array.isArray(messages) ? messages : []);

/** Complete lines only: a crash can leave half a line at the end. */
export const linesOf = (text: string): readonly SessionFileLine[] => text.split('\n').flatMap((line) => lineOf(line) ?? []);

export const lineOf = (line: string): SessionFileLine | undefined => jsonObject(line);
