import type { RecordContext } from '../../archive.ts';
import { callMade, callReturned, searchMade } from './calls.ts';
import { itemTold } from './items.ts';
import type { Line } from './line.ts';
import { NOTHING, type Reader, type Told } from './line-result.ts';
import { said, thought, wrote } from './old-messages.ts';
import { threadBegan, threadCompacted, turnAborted, turnEnded, turnSettings } from './threads.ts';
import { countTold, recordTold } from './tokens.ts';

const silent: Reader = () => NOTHING;

/**
 * The same is written twice: as items for people (`item_completed`), and as what is sent to the model (`response_item`), with much that nobody
 * said. Messages and what commands did are read from the items; calls from the others, since a call that was refused becomes no item.
 */
const READERS: Readonly<Record<string, Reader>> = {
  session_meta: threadBegan,
  turn_context: turnSettings,
  compacted: threadCompacted,
  token_usage_record: recordTold,
  world_state: silent,
  'event_msg/item_completed': itemTold,
  'event_msg/token_count': countTold,
  'event_msg/turn_aborted': turnAborted,
  'event_msg/task_complete': turnEnded,
  'event_msg/task_started': silent,
  'event_msg/thread_settings_applied': silent,
  'response_item/message': silent,
  'response_item/reasoning': silent,
  'response_item/function_call': callMade,
  'response_item/custom_tool_call': callMade,
  'response_item/function_call_output': callReturned,
  'response_item/custom_tool_call_output': callReturned,
  // Described of other versions, and not seen.
  'event_msg/user_message': said,
  'event_msg/agent_message': wrote,
  'event_msg/agent_reasoning': thought,
  'event_msg/agent_reasoning_raw_content': silent,
  'event_msg/context_compacted': silent,
  'response_item/web_search_call': searchMade,
  'response_item/ghost_snapshot': silent,
};

/** Calls that became no item, and how a turn or a compaction ended, are not on the wire, or not under these ids. */
const UNPRINTED = /^(?:response_item\/|compacted$|event_msg\/(?:turn_aborted|task_complete)$)/;

export function lineTold(line: Line, context: RecordContext): Told | undefined {
  try {
    const told = Object.hasOwn(READERS, line.kind) ? READERS[line.kind]?.(line, context) : undefined;
    return told !== undefined && told.observations.length > 0 && UNPRINTED.test(line.kind) ? { ...told, unprinted: true } : told;
  } catch {
    return undefined;
  }
}
