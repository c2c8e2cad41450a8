import { join } from 'node:path';
import * as z from 'zod/mini';
import { isAssistantMessage } from '../../formats/pi-format/message.ts';
import type { AgentFile } from '../../port/adapter.ts';
import { GATE } from '../extension-protocol.ts';
import { isStamp } from '../wire.ts';
import { sessionsFor } from './record-folders.ts';

/** The name starts with the creation time, which only Pi knows; the end of the name is enough to find the file. */
const file: AgentFile['file'] = ({ cwd, agentSessionId, env }) => join(sessionsFor({ cwd, env }), `*_${agentSessionId}.jsonl`);

const Entry = z.looseObject({ message: z.optional(z.looseObject({ role: z.string() })) });
type Entry = z.infer<typeof Entry>;

/** Our extension writes the input's id into its message. */
function recall(text: string, inputId: string): 'absent' | 'taken' | 'answered' {
  const entries = text.split('\n').flatMap(parse);
  const from = entries.findIndex((entry) => isInput(entry, inputId));
  if (from < 0) return 'absent';
  for (const entry of entries.slice(from + 1)) {
    if (isAnswer(entry)) return 'answered';
    if (entry.message?.role === 'user') return 'taken';
  }
  return 'taken';
}

function isInput({ message }: Entry, inputId: string): boolean {
  const stamp = message?.role === 'user' ? message[GATE] : undefined;
  return isStamp(stamp) && stamp.input === inputId;
}

/** The end of a turn: the model answered and doesn't wait for a tool. */
function isAnswer({ message }: Entry): boolean {
  return isAssistantMessage(message) && typeof message.stopReason === 'string' && message.stopReason !== 'toolUse';
}

function parse(raw: string): readonly Entry[] {
  try {
    const parsed = z.safeParse(Entry, JSON.parse(raw));
    return parsed.success ? [parsed.data] : [];
  } catch {
    // A line cut by a kill doesn't count.
    return [];
  }
}

/** Pi's own file of a session, created with the model's first answer; earlier messages are written then too. */
export const memory: AgentFile = { file, recall };
