import { join } from 'node:path';
import { isObject } from '../../formats/shape.ts';
import type { AgentFile } from '../../port/adapter.ts';
import { readLine } from './line.ts';
import { sessionsFolder } from './record-folders.ts';

/** In a folder named after the start date; the file name ends with the thread. */
const file: AgentFile['file'] = ({ agentSessionId, env }) => join(sessionsFolder(env), '*', '*', '*', `*-${agentSessionId}.jsonl`);

/** Codex writes the id of our input into its record. */
function recall(text: string, inputId: string): 'absent' | 'taken' | 'answered' {
  let isTaken = false;
  for (const raw of text.split('\n')) {
    // Records are long, so lines before the input aren't parsed.
    if (!isTaken && !raw.includes(inputId)) continue;
    const line = readLine(raw);
    if (line === undefined) continue;
    if (isTaken && (line.kind === 'event_msg/task_complete' || line.kind === 'event_msg/turn_aborted')) return 'answered';
    const { item } = line.payload;
    if (line.kind === 'event_msg/item_completed' && isObject(item) && item.client_id === inputId) isTaken = true;
  }
  return isTaken ? 'taken' : 'absent';
}

/** Codex's own file of a thread, created with the first turn. */
export const memory: AgentFile = { file, recall };
