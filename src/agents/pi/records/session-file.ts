import { join } from 'node:path';
import * as z from 'zod/mini';
import type { AgentMemory } from '../../adapter.ts';
import { isAssistantMessage } from '../../formats/pi-message.ts';
import { GATE } from '../gate-words.ts';
import { isStamp } from '../wire.ts';
import { sessionsFor } from './record-folders.ts';

/** Pi's own file of a session. It is begun with the first answer of the model; what was said before is written then. */
/** The name begins with the time at which the session was made, which nobody else knows; its end is enough to find it. */
const file: AgentMemory['file'] = ({ cwd, agentSessionId, env }) => join(sessionsFor({ cwd, env }), `*_${agentSessionId}.jsonl`);

const Entry = z.looseObject({ message: z.optional(z.looseObject({ role: z.string() })) });
type Entry = z.infer<typeof Entry>;

/** Our extension writes the id of an input into the message that it was. */
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

/** The end of a turn: the model said something and does not wait for a tool. */
function isAnswer({ message }: Entry): boolean {
  return isAssistantMessage(message) && typeof message.stopReason === 'string' && message.stopReason !== 'toolUse';
}

function parse(raw: string): readonly Entry[] {
  try {
    const parsed = z.safeParse(Entry, JSON.parse(raw));
    return parsed.success ? [parsed.data] : [];
  } catch {
    // A line cut by a kill: what it would have said never came in.
    return [];
  }
}

/** Pi's own file of a session. It is begun with the first answer of the model; what was said before is written then. */
export const memory: AgentMemory = { file, recall };
