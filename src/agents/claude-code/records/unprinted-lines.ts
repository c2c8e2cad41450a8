import type { KeptObservation } from '../../../protocol/observation.ts';
import { contentOf } from '../lines/tool-result.ts';
import type { RecordLine } from './entry.ts';

/**
 * Lines that a record has and a stream may lack (2.1.197): the prompts with which the CLI begins turns by itself, which tasks tell; commands, which are not
 * echoed and get an id of their own in the record; retries, which
 * are printed under another id; and the last words of a subagent, which the result of its call tells.
 */
export function isUnprinted(line: RecordLine, told: readonly KeptObservation[]): boolean {
  const [one] = told;
  if (one?.type === 'retry.reported') return true;
  if (one?.type === 'assistant.text') return line.isSidechain;
  if (one?.type !== 'user.message' || line.isSidechain) return false;
  return line.isCompactSummary ? false : one.origin === 'agent' || isCommand(line);
}

const isCommand = (line: RecordLine): boolean =>
  line.type === 'system' || (line.type === 'user' && /^\s*<command-(?:name|message)>/.test(contentOf(line.message?.content).output));
