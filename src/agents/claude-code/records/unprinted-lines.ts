import type { KeptObservation } from '../../../protocol/observation.ts';
import { contentOf } from '../lines/tool-result.ts';
import type { RecordLine } from './entry.ts';

/**
 * Lines that are in a record but may be missing from a stream (2.1.197): prompts with which the CLI starts a turn by itself, reported as tasks;
 * commands, which aren't echoed and get their own id in the record; retries, which are printed under another id; a subagent's last message,
 * which is in the result of its call; and the prompt of a subagent in the background (2.1.325), which is in its call.
 */
export function isUnprinted(line: RecordLine, observed: readonly KeptObservation[]): boolean {
  const [one] = observed;
  if (one?.type === 'retry.reported') return true;
  if (one?.type === 'assistant.text') return line.isSidechain;
  if (one?.type !== 'user.message') return false;
  if (line.isSidechain) return true;
  return line.isCompactSummary ? false : one.origin === 'agent' || isCommand(line);
}

const isCommand = (line: RecordLine): boolean =>
  line.type === 'system' || (line.type === 'user' && /^\s*<command-(?:name|message)>/.test(contentOf(line.message?.content).output));
