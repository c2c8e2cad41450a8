import type * as z from 'zod/mini';
import type { Observation } from '../../../protocol/observation.ts';
import { emit, ownProperty, withoutKey } from '../../formats/fold.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import type { State, Step, Task } from './state.ts';
import type { Envelope } from './wire.ts';
import { stamp } from './wire.ts';
import { TaskNotification, TaskProgress, TaskStarted, TaskUpdated } from './wire-system.ts';

export const TASK_LINES: Readonly<Record<string, LineKind>> = {
  'system/task_started': line(TaskStarted, '`task.updated` (running)', taskStarted),
  'system/task_progress': line(TaskProgress, '`task.updated` (running, with its current step)', taskProgressed),
  'system/task_updated': line(TaskUpdated, '`task.updated`', taskUpdated),
  'system/task_notification': line(TaskNotification, '`task.updated` (its end); when no turn is running, the CLI starts one by itself', taskEnded),
  'system/background_tasks_changed': silent('each task reports its own changes'),
};

/** Names shared by all agents. */
const KINDS: Readonly<Record<string, string>> = { local_agent: 'subagent', local_bash: 'command' };

const UNKNOWN: Task = { kind: 'task' };

function taskStarted(state: State, started: z.infer<typeof TaskStarted>): Step {
  const task: Task = {
    kind: ownProperty(KINDS, started.task_type ?? '') ?? started.task_type ?? UNKNOWN.kind,
    ...(started.description ? { title: started.description } : {}),
    ...(started.tool_use_id ? { toolUseId: started.tool_use_id } : {}),
  };
  const next = { ...state, tasks: { ...state.tasks, [started.task_id]: task } };
  return emit(next, updated(started.task_id, task, 'running', started.prompt, undefined, started));
}

function taskProgressed(state: State, progress: z.infer<typeof TaskProgress>): Step {
  return emit(state, updated(progress.task_id, taskOf(state, progress.task_id), 'running', progress.description, progress.usage, progress));
}

function taskUpdated(state: State, { task_id, patch, ...source }: z.infer<typeof TaskUpdated>): Step {
  return emit(state, updated(task_id, taskOf(state, task_id), patch.status ?? 'running', patch.error ?? patch.description, undefined, source));
}

function taskEnded(state: State, ended: z.infer<typeof TaskNotification>): Step {
  const known = taskOf(state, ended.task_id);
  const task = ended.tool_use_id ? { ...known, toolUseId: ended.tool_use_id } : known;
  const next: State = {
    ...state,
    tasks: withoutKey(state.tasks, ended.task_id),
    subagents: task.toolUseId ? withoutKey(state.subagents, task.toolUseId) : state.subagents,
    nextCause: state.isTurnRunning ? state.nextCause : 'task-notification',
  };
  return emit(next, updated(ended.task_id, task, ended.status, ended.summary, ended.usage, ended));
}

const taskOf = (state: State, taskId: string): Task => ownProperty(state.tasks, taskId) ?? UNKNOWN;

function updated(
  taskId: string,
  task: Task,
  status: string,
  detail: string | undefined,
  usage: Record<string, unknown> | undefined,
  source: Envelope,
): Observation {
  return {
    type: 'task.updated',
    taskId,
    kind: task.kind,
    status,
    ...(task.title ? { title: task.title } : {}),
    ...(task.toolUseId ? { toolUseId: task.toolUseId } : {}),
    ...(detail ? { detail } : {}),
    ...(usage ? { usage } : {}),
    ...stamp(source),
  };
}
