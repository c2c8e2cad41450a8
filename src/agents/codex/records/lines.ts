import type { RecordContext } from '../../port/archive.ts';
import { callMade, callReturned, searchMade } from './calls.ts';
import { observeItem } from './items.ts';
import type { Line } from './line.ts';
import { type LineResult, NOTHING, type Reader } from './line-result.ts';
import { oldAgentMessage, oldReasoning, oldUserMessage } from './old-messages.ts';
import { threadCompacted, threadStarted, turnAborted, turnEnded, turnSettings } from './thread-lines.ts';
import { observeTokenCount, observeUsageRecord } from './tokens.ts';

const silent: Reader = () => NOTHING;

/**
 * Everything is written twice: as items for people (`item_completed`), and as what the model gets (`response_item`), with a lot that nobody
 * said. We read messages and results from the items, and calls from the others, because a refused call never becomes an item.
 */
const READERS: Readonly<Record<string, Reader>> = {
  session_meta: threadStarted,
  turn_context: turnSettings,
  compacted: threadCompacted,
  token_usage_record: observeUsageRecord,
  world_state: silent,
  'event_msg/item_completed': observeItem,
  'event_msg/token_count': observeTokenCount,
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
  // Described for other versions, never seen.
  'event_msg/user_message': oldUserMessage,
  'event_msg/agent_message': oldAgentMessage,
  'event_msg/agent_reasoning': oldReasoning,
  'event_msg/agent_reasoning_raw_content': silent,
  'event_msg/context_compacted': silent,
  'response_item/web_search_call': searchMade,
  'response_item/ghost_snapshot': silent,
};

/** Calls without an item, and the end of a turn or compaction, are not on the wire, or have other ids there. */
const UNPRINTED = /^(?:response_item\/|compacted$|event_msg\/(?:turn_aborted|task_complete)$)/;

export function observeLine(line: Line, context: RecordContext): LineResult | undefined {
  try {
    const observed = Object.hasOwn(READERS, line.kind) ? READERS[line.kind]?.(line, context) : undefined;
    return observed !== undefined && observed.observations.length > 0 && UNPRINTED.test(line.kind) ? { ...observed, unprinted: true } : observed;
  } catch {
    return undefined;
  }
}
