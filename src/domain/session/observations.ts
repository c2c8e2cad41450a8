import { type ItemId, type RunId, requestIdOf, type TurnId } from '../../protocol/ids.ts';
import type { KeptObservation, Observation, PartialObservation } from '../../protocol/observation.ts';
import { noteEvidence } from '../annotation/evidence.ts';
import { agentOf, judgeOne } from '../permission/answer.ts';
import { inFlight } from '../queue/queue.ts';
import { advance, deliverNext, deliverNow, waitsForReady } from './advance.ts';
import { closeBehindTask, closeBehindTurn } from './close.ts';
import type { Draft, DraftedEvent } from './draft.ts';
import { finishSummary } from './handover.ts';

/** Observations that lead to decisions: everything but text in progress, with images already stored as blobs. */
export type Decidable = Exclude<Observation, PartialObservation>;

/** Adds what the agent reported to a draft. The caller settles and appends once per line. */
export function observe(draft: Draft, run: RunId, byte: number, observation: Decidable): void {
  const [before, from] = [draft.state, draft.events.length];
  add(draft, run, byte, observation);
  noteEvidence(draft, before, draft.events.slice(from));
}

function add(draft: Draft, run: RunId, byte: number, observation: Decidable): void {
  switch (observation.type) {
    case 'agent.ready':
      ready(draft, run);
      deliverFirst(draft);
      return;
    case 'turn.began':
      return startTurn(draft, run, byte, observation.cause);
    case 'turn.ended':
      return endTurn(draft, run, byte, observation);
    case 'input.taken':
      return taken(draft, observation);
    case 'input.dropped':
      return dropped(draft, observation);
    case 'permission.asked':
      return asked(draft, run, observation);
    case 'permission.withdrawn':
      return withdrawn(draft, run, observation);
    case 'reply':
      return;
    case 'task.updated':
      return task(draft, observation);
    default:
      return keep(draft, observation);
  }
}

function ready(draft: Draft, run: RunId): void {
  if (draft.state.run.phase === 'opened') draft.emit({ type: 'run.ready', run });
}

/** Other agents got it when their run was opened. */
function deliverFirst(draft: Draft): void {
  if (waitsForReady(draft)) deliverNext(draft);
}

function startTurn(draft: Draft, run: RunId, byte: number, cause: string): void {
  ready(draft, run);
  if (draft.state.turn.phase === 'running') return;
  const input = cause === 'input' ? inFlight(draft.state.queue) : undefined;
  draft.emit({ type: 'turn.started', turnId: turnIdOf(run, byte), cause, ...(input !== undefined && { commandId: input.commandId }) });
  joinTurn(draft);
}

/** Delivers steering messages that were sent before the turn started. */
function joinTurn(draft: Draft): void {
  const early = draft.state.queue.filter((input) => input.stage.at === 'accepted' && input.mode === 'steer');
  if (draft.now.hasDiskSpace) for (const { commandId } of early) deliverNow(draft, commandId);
}

const turnIdOf = (run: RunId, byte: number): TurnId => `${run}@${byte}` as TurnId;

function taken(draft: Draft, observation: Extract<Decidable, { type: 'input.taken' }>): void {
  const input = draft.state.queue.find((waiting) => waiting.stage.at === 'delivered' && draft.now.inputId(waiting.commandId) === observation.inputId);
  if (input === undefined) return;
  markConsumed(draft, observation.inputId);
}

/** The message becomes part of the transcript: the agent has it. */
export function markConsumed(draft: Draft, inputId: string): void {
  const input = draft.state.queue.find((waiting) => draft.now.inputId(waiting.commandId) === inputId);
  if (input?.stage.at !== 'delivered') return;
  const { commandId, text, images, context, blob } = input;
  draft.emit({ type: 'input.consumed', commandId, ...turnOf(draft) });
  draft.emit({
    type: 'user.message',
    origin: 'person',
    commandId,
    text,
    itemId: inputId as ItemId,
    ...turnOf(draft),
    ...(images.length > 0 && { images: [...images] }),
    ...(context.length > 0 && { context: [...context] }),
    ...(blob !== null && { blobs: { text: blob } }),
  });
}

function dropped(draft: Draft, observation: Extract<Decidable, { type: 'input.dropped' }>): void {
  const input = draft.state.queue.find((waiting) => waiting.stage.at === 'delivered' && draft.now.inputId(waiting.commandId) === observation.inputId);
  if (input !== undefined) draft.emit({ type: 'input.cancelled', commandId: input.commandId, reason: observation.reason });
}

function asked(draft: Draft, run: RunId, observation: Extract<Decidable, { type: 'permission.asked' }>): void {
  const requestId = requestIdOf(run, observation.agentRequestId);
  const known = [...draft.state.permissions, ...draft.state.closedPermissions].some((request) => request.requestId === requestId);
  if (known) return;
  draft.emit({ ...observation, type: 'permission.requested', requestId, itemId: requestId as string as ItemId, ...turnOf(draft) });
  const open = draft.state.permissions.find((request) => request.requestId === requestId);
  if (open !== undefined) judgeOne(draft, open);
}

function withdrawn(draft: Draft, run: RunId, observation: Extract<Decidable, { type: 'permission.withdrawn' }>): void {
  const requestId = requestIdOf(run, observation.agentRequestId);
  const isOpen = draft.state.permissions.some((request) => request.requestId === requestId);
  if (isOpen) draft.emit({ type: 'permission.resolved', requestId, outcome: 'cancelled', message: observation.reason, actor: agentOf(draft) });
}

function endTurn(draft: Draft, run: RunId, byte: number, observation: Extract<Decidable, { type: 'turn.ended' }>): void {
  startTurn(draft, run, byte, 'input');
  const { turn } = draft.state;
  if (turn.phase !== 'running') return;
  const { type: _, aborted, ...facts } = turn.interruptedBy === null ? observation : asInterrupted(observation);
  const input = inFlight(draft.state.queue);
  if (input !== undefined && input.commandId === turn.commandId) markConsumed(draft, draft.now.inputId(input.commandId));
  closeBehindTurn(draft, 'the turn ended');
  draft.emit({ type: 'turn.completed', ...facts, turnId: turn.turnId, interrupted: aborted, ...(turn.commandId !== null && { commandId: turn.commandId }) });
  finishSummary(draft, turn.commandId, facts.isError || aborted ? undefined : facts.result);
  advance(draft, 'turn.completed');
}

/** Some agents report an interrupted turn as an error; we know that we interrupted it. */
function asInterrupted(observation: Extract<Decidable, { type: 'turn.ended' }>): typeof observation {
  if (!observation.isError || observation.aborted) return observation;
  const { errors: _complaint, ...facts } = observation;
  return { ...facts, stopReason: 'interrupted', isError: false, aborted: true };
}

function task(draft: Draft, observation: Extract<Decidable, { type: 'task.updated' }>): void {
  const before = draft.state.tasks.find((live) => live.taskId === observation.taskId);
  keep(draft, observation);
  const isLive = draft.state.tasks.some((live) => live.taskId === observation.taskId);
  if (before !== undefined && !isLive) closeBehindTask(draft, before);
}

/** Stored unchanged, in the turn it belongs to. */
function keep(draft: Draft, observation: KeptObservation): void {
  const { agentAt, rawImages: _images, ...body } = observation;
  if (body.type === 'tool.started' && draft.state.openTools.some((tool) => tool.toolUseId === body.toolUseId)) return;
  if (isAlreadyKnown(draft, observation)) return;
  const at = draft.now.late === true && agentAt !== undefined ? { at: agentAt } : {};
  draft.emit({ ...body, ...turnOf(draft), ...at } as DraftedEvent);
}

/** Every process reports its capabilities, its thinking level and the lack of a limit at its start. */
function isAlreadyKnown({ state }: Draft, reported: KeptObservation): boolean {
  if (reported.type === 'capabilities.told') return isSame({ ...state.can, ...reported.can }, state.can);
  if (reported.type === 'thinking.changed') return reported.thinking === state.thinking;
  return reported.type === 'limit.reported' && reported.status === 'allowed' && state.limit === null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function turnOf(draft: Draft): { readonly turnId?: TurnId } {
  return draft.state.turn.phase === 'running' ? { turnId: draft.state.turn.turnId } : {};
}
