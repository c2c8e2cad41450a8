import { EVENTS, type Event, type EventOf, type EventType, type TypeShownAs } from '../../protocol/event.ts';
import { type Handlers, handlerOf } from '../handle-event.ts';
import { type Draft, put, toolKey } from './draft.ts';
import * as input from './fold-input.ts';
import { foldItemMarked } from './fold-item-marked.ts';
import { foldMark, foldUnrecognised } from './fold-mark.ts';
import * as setting from './fold-setting.ts';
import { foldText, foldThinking } from './fold-text.ts';
import { foldTurnCompleted, foldTurnStarted } from './fold-turn.ts';
import type { PermissionItem, ToolItem } from './item.ts';
import { AGENT_GONE, AGENT_STOPPED } from './outcomes.ts';
import { plainOutput } from './plain-output.ts';
import { subjectOfTask } from './todos.ts';
import { toolKind } from './tool-kind.ts';

/** Folds one more event. `draft.events` still ends with the event before it. */
export function foldEvent(draft: Draft, event: Event): void {
  if (MOVES_ON.has(event.type)) draft.movedOnAt = event.seq;
  if (event.itemId !== undefined) settle(draft, event.itemId);
  if (isFolded(event)) handlerOf(FOLDS, event)(draft, event);
  else if (isPlainMark(event)) foldMark(draft, event);
}

const MOVES_ON: ReadonlySet<EventType> = new Set(['input.accepted', 'input.delivered', 'turn.started', 'user.message']);

type FoldedType = TypeShownAs<'item' | 'both'>;

/** Events that are more than a line, or not always one. */
const FOLDS: Handlers<FoldedType, [Draft], void> = {
  'session.started': setting.started,
  'session.exited': foldExit,
  'input.accepted': input.accepted,
  'input.edited': input.edited,
  'input.moved': input.moved,
  'input.steered': input.steered,
  'input.cancelled': input.cancelled,
  'input.delivered': input.delivered,
  'input.consumed': input.consumed,
  'input.returned': input.returned,
  'user.message': input.said,
  'assistant.text': foldText,
  'assistant.thinking': foldThinking,
  'tool.started': foldToolStarted,
  'tool.completed': foldToolCompleted,
  'permission.requested': foldPermission,
  'permission.resolved': foldPermission,
  'turn.started': foldTurnStarted,
  'turn.completed': foldTurnCompleted,
  'context.forgotten': input.forgotten,
  'suggestion.offered': foldSuggestion,
  'task.updated': foldTask,
  'model.changed': setting.changed,
  'mode.changed': setting.changed,
  'thinking.changed': setting.changed,
  'setting.requested': setting.requested,
  'setting.refused': setting.refused,
  'notice.shown': foldNotice,
  'item.marked': foldItemMarked,
  'tool.asked': foldToolAsked,
  'tool.answered': foldToolAnswered,
  'hook.reported': foldHookReport,
  'command.output': foldOutput,
  unrecognised: foldUnrecognised,
};

const isFolded = (event: Event): event is EventOf<FoldedType> => event.type in FOLDS;

const PLAIN_MARKS: ReadonlySet<EventType> = new Set(EVENTS.filter(({ transcript }) => transcript === 'mark').map(({ type }) => type));
const isPlainMark = (event: Event): event is EventOf<TypeShownAs<'mark'>> => PLAIN_MARKS.has(event.type);

function foldSuggestion(draft: Draft, { text }: EventOf<'suggestion.offered'>): void {
  draft.suggestions = [...draft.suggestions.filter((known) => known !== text), text];
}

/** Old journals call a turn whose agent was stopped the same as one that crashed. */
function nameStoppedTurn(draft: Draft): void {
  const last = draft.items.get(draft.order.at(-1) ?? '');
  if (last?.kind !== 'turn' || last.completed.stopReason !== AGENT_GONE) return;
  draft.items.set(last.key, { ...last, completed: { ...last.completed, stopReason: AGENT_STOPPED, isError: false } });
}

function foldExit(draft: Draft, event: EventOf<'session.exited'>): void {
  // Whatever the dead process was still writing will not be finished.
  draft.live.clear();
  if (event.reason !== 'died') nameStoppedTurn(draft);
  foldMark(draft, event);
}

/** The item is complete: its streamed text is no longer needed, and a late repeat of it is ignored. */
function settle(draft: Draft, itemId: string): void {
  draft.live.delete(itemId);
  draft.finals.add(itemId);
}

/** A request and its answer are one item, at the place where the agent stopped to ask. */
function foldPermission(draft: Draft, event: EventOf<'permission.requested' | 'permission.resolved'>): void {
  const key = `permission:${event.requestId}`;
  const known = draft.items.get(key);
  const base = known?.kind === 'permission' ? known : ({ kind: 'permission', key, seq: event.seq, at: event.at, requestId: event.requestId } as const);
  const item: PermissionItem = event.type === 'permission.requested' ? { ...base, requested: event } : { ...base, resolved: event };
  put(draft, item);
  markToolWaiting(draft, item);
}

/** The requested call does not run until there is an answer, and not at all if it was denied. */
function markToolWaiting(draft: Draft, { requested, resolved, requestId }: PermissionItem): void {
  const tool = requested?.toolUseId === undefined ? undefined : draft.items.get(toolKey(requested.toolUseId));
  if (tool?.kind !== 'tool' || requested === undefined) return;
  const { waitsFor: _, ...running } = tool;
  if (resolved === undefined) return void draft.items.set(tool.key, { ...running, waitsFor: requestId });
  const waitedMs = (running.waitedMs ?? 0) + Math.max(0, Date.parse(resolved.at) - Date.parse(requested.at));
  draft.items.set(tool.key, { ...running, waitedMs, ...(resolved.outcome === 'denied' && { denied: 'byPerson' as const }) });
}

/** The agent's own settings refused a call. The call's result says the same, so there is no second line for it. */
function foldNotice(draft: Draft, event: EventOf<'notice.shown'>): void {
  const tool = event.parentItemId === undefined ? undefined : draft.items.get(toolKey(event.parentItemId));
  if (tool?.kind === 'tool') draft.items.set(tool.key, { ...tool, denied: tool.denied ?? 'byAgent' });
  else foldMark(draft, event);
}

function foldToolStarted(draft: Draft, event: EventOf<'tool.started'>): void {
  const { taskId } = event.input;
  const taskSubject = typeof taskId === 'string' && toolKind(event.name, event.input) === 'todo' ? subjectOfTask(draft.items.values(), taskId) : undefined;
  put(draft, { ...toolOf(draft, event), name: event.name, started: event, ...(taskSubject !== undefined && { taskSubject }) });
}

function foldToolCompleted(draft: Draft, event: EventOf<'tool.completed'>): void {
  const completed = { ...event, output: plainOutput(event.output), ...(wasInterrupted(draft, event) && { closedBy: 'interrupted' }) };
  put(draft, { ...toolOf(draft, event), completed });
}

/** After an interrupt, an agent reports the call it gave up as failed. */
function wasInterrupted({ events }: Draft, { isError, closedBy }: EventOf<'tool.completed'>): boolean {
  if (!isError || closedBy !== undefined) return false;
  return events.findLast(({ type }) => type === 'turn.started' || type === 'interrupt.requested')?.type === 'interrupt.requested';
}

/** A call over HTTP has no item of its own, so it gets a line. The card of a question says more than a line could. */
function foldToolAsked(draft: Draft, event: EventOf<'tool.asked'>): void {
  if (event.toolUseId === undefined && event.tool !== 'ask_person') foldMark(draft, event);
}

function foldToolAnswered(draft: Draft, event: EventOf<'tool.answered'>): void {
  if (event.outcome === 'refused' && event.delivery !== undefined && event.actor?.kind !== 'person') foldMark(draft, event);
}

/** The end of a turn shows by itself. */
function foldHookReport(draft: Draft, event: EventOf<'hook.reported'>): void {
  if (event.event !== 'Stop') foldMark(draft, event);
}

/** A transcript holds the end of what a command printed so far; all of it is in the events. */
const OUTPUT_CHARS = 20_000;

function foldOutput(draft: Draft, event: EventOf<'command.output'>): void {
  const tool = draft.items.get(toolKey(event.toolUseId));
  if (tool?.kind !== 'tool') return;
  draft.items.set(tool.key, { ...tool, outputSoFar: `${tool.outputSoFar ?? ''}${event.text}`.slice(-OUTPUT_CHARS) });
}

/** A background task belongs to the call that started it; without one it gets its own line. */
function foldTask(draft: Draft, event: EventOf<'task.updated'>) {
  const tool = event.toolUseId === undefined ? undefined : draft.items.get(toolKey(event.toolUseId));
  if (tool?.kind !== 'tool') return foldMark(draft, event);
  draft.items.set(tool.key, { ...tool, task: event });
}

function toolOf(draft: Draft, event: EventOf<'tool.started' | 'tool.completed'>): ToolItem {
  const key = toolKey(event.toolUseId);
  const known = draft.items.get(key);
  if (known?.kind === 'tool') return known;
  const parent = event.parentToolUseId === undefined ? {} : { parentToolUseId: event.parentToolUseId };
  return { kind: 'tool', key, seq: event.seq, at: event.at, toolUseId: event.toolUseId, writing: false, ...parent };
}
