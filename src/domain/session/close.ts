import type { ItemId } from '../../protocol/ids.ts';
import { closeRequests } from '../permission/answer.ts';
import { askOfRequest, closeAsks, isOnBus } from '../permission/tool-ask.ts';
import type { Draft } from './draft.ts';
import { turnOf } from './observations.ts';
import type { LiveTask, OpenAsk, OpenPermission, OpenTool } from './state.ts';

/** Closes what a finished turn left open. Background tasks keep their tools and requests, because they are still running. */
export function closeBehindTurn(draft: Draft, reason: string): void {
  const { tasks } = draft.state;
  const isOver = (belongs: (task: LiveTask) => boolean): boolean => !tasks.some(belongs);
  const isLaterAnswered = ({ requestId }: OpenPermission): boolean => askOfRequest(draft.state, requestId)?.agentRequestId === null;
  closeAsks(draft, 'cancelled', reason, (ask) => isOnBus(ask) && isOver((task) => isParentOf(draft, task, ask)));
  closeRequests(draft, 'cancelled', reason, (open) => !isLaterAnswered(open) && isOver((task) => asks(task, open)));
  closeTools(draft, reason, (tool) => isOver((task) => uses(task, tool)));
}

/** A subagent that ended no longer waits for anything. */
export function closeBehindTask(draft: Draft, task: LiveTask): void {
  closeAsks(draft, 'cancelled', 'the subagent ended', (ask) => isParentOf(draft, task, ask));
  closeRequests(draft, 'cancelled', 'the subagent ended', (open) => asks(task, open));
  closeTools(draft, 'the subagent ended', (tool) => uses(task, tool));
}

/** A process that is gone leaves nothing open. */
export function closeEverything(draft: Draft, reason: string): void {
  closeAsks(draft, 'lapsed', reason, () => true);
  closeRequests(draft, 'lapsed', reason, () => true);
  closeTools(draft, reason, () => true);
}

const asks = (task: LiveTask, { asked }: OpenPermission): boolean => asked.subagent === task.taskId;
const uses = (task: LiveTask, tool: OpenTool): boolean => tool.parentToolUseId !== null && tool.parentToolUseId === task.toolUseId;

/** A call of ours by a subagent belongs to that subagent. */
const isParentOf = ({ state }: Draft, task: LiveTask, ask: OpenAsk): boolean =>
  state.openTools.some((tool) => tool.toolUseId === ask.toolUseId && uses(task, tool));

function closeTools(draft: Draft, reason: string, concerned: (tool: OpenTool) => boolean): void {
  for (const tool of draft.state.openTools.filter(concerned)) {
    draft.emit({
      type: 'tool.completed',
      toolUseId: tool.toolUseId,
      itemId: `${tool.toolUseId}:result` as ItemId,
      parentItemId: tool.toolUseId as ItemId,
      output: '',
      isError: true,
      closedBy: reason,
      ...turnOf(draft),
      ...(tool.parentToolUseId !== null && { parentToolUseId: tool.parentToolUseId }),
    });
  }
}
