import type { ItemId } from '../../protocol/ids.ts';
import { closeRequests } from '../permission/answer.ts';
import type { Draft } from './draft.ts';
import { turnOf } from './observations.ts';
import type { LiveTask, OpenPermission, OpenTool } from './state.ts';

/** Closes what a finished turn left open. Background tasks keep their tools and requests, because they are still running. */
export function closeBehindTurn(draft: Draft, reason: string): void {
  const { tasks } = draft.state;
  const isOver = (belongs: (task: LiveTask) => boolean): boolean => !tasks.some(belongs);
  closeRequests(draft, 'cancelled', reason, (open) => isOver((task) => asks(task, open)));
  closeTools(draft, reason, (tool) => isOver((task) => uses(task, tool)));
}

/** A subagent that ended no longer waits for anything. */
export function closeBehindTask(draft: Draft, task: LiveTask): void {
  closeRequests(draft, 'cancelled', 'the subagent ended', (open) => asks(task, open));
  closeTools(draft, 'the subagent ended', (tool) => uses(task, tool));
}

/** A process that is gone leaves nothing open. */
export function closeEverything(draft: Draft, reason: string): void {
  closeRequests(draft, 'lapsed', reason, () => true);
  closeTools(draft, reason, () => true);
}

const asks = (task: LiveTask, { asked }: OpenPermission): boolean => asked.subagent === task.taskId;
const uses = (task: LiveTask, tool: OpenTool): boolean => tool.parentToolUseId !== null && tool.parentToolUseId === task.toolUseId;

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
