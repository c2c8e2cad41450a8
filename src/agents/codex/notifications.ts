import type { Reader } from '../formats/fold.ts';
import { emitNothing, readerFor } from '../formats/fold.ts';
import { requestResolved } from './approvals.ts';
import { itemCompleted, itemStarted } from './live-items.ts';
import type { State, Step } from './state.ts';
import { grew, summaryPartAdded } from './stream.ts';
import { failed, tokensCounted, turnCompleted, turnStarted } from './turns.ts';
import { modelRerouted, warned } from './warnings.ts';
import * as wire from './wire.ts';

/** Codex also reports the threads of subagents; those are ignored. */
const ours =
  <T extends { readonly threadId: string }>(translate: (state: State, value: T) => Step) =>
  (state: State, value: T): Step =>
    value.threadId === state.threadId || state.threadId === null ? translate(state, value) : emitNothing(state);

export const NOTIFICATIONS: Readonly<Record<string, Reader<State>>> = {
  'turn/started': readerFor(wire.TurnStarted, ours(turnStarted)),
  'turn/completed': readerFor(wire.TurnCompleted, ours(turnCompleted)),
  'item/started': readerFor(wire.ItemLine, ours(itemStarted)),
  'item/completed': readerFor(wire.ItemLine, ours(itemCompleted)),
  'item/agentMessage/delta': readerFor(wire.Delta, ours(grew)),
  'item/plan/delta': readerFor(wire.Delta, ours(grew)),
  'item/reasoning/summaryTextDelta': readerFor(wire.Delta, ours(grew)),
  'item/reasoning/summaryPartAdded': readerFor(wire.SummaryPart, ours(summaryPartAdded)),
  'thread/tokenUsage/updated': readerFor(wire.TokenUsage, ours(tokensCounted)),
  error: readerFor(wire.Failure, ours(failed)),
  warning: readerFor(wire.Warning, (state, { message }) => warned(state, message)),
  guardianWarning: readerFor(wire.Warning, (state, { message }) => warned(state, message)),
  configWarning: readerFor(wire.ConfigWarning, (state, { summary, details }) => warned(state, details ? `${summary}\n${details}` : summary)),
  'model/rerouted': readerFor(wire.Rerouted, ours(modelRerouted)),
  'serverRequest/resolved': readerFor(wire.Resolved, requestResolved),
  // The answer to our request reported it.
  'thread/started': emitNothing,
  'thread/settings/updated': emitNothing,
  // Turns and requests report it.
  'thread/status/changed': emitNothing,
  // The complete thought follows with its item.
  'item/reasoning/textDelta': emitNothing,
  // The complete output follows with its item.
  'item/commandExecution/outputDelta': emitNothing,
  'item/commandExecution/terminalInteraction': emitNothing,
  'item/fileChange/outputDelta': emitNothing,
  'item/fileChange/patchUpdated': emitNothing,
  'item/mcpToolCall/progress': emitNothing,
  // Each change of a file has its own patch.
  'turn/diff/updated': emitNothing,
  // Repeated as an item.
  'thread/compacted': emitNothing,
  // About us, about lists that other programs show, or about the account.
  deprecationNotice: emitNothing,
  'thread/readState/changed': emitNothing,
  'thread/name/updated': emitNothing,
  'thread/goal/updated': emitNothing,
  'thread/goal/cleared': emitNothing,
  'thread/queue/changed': emitNothing,
  'thread/prediction/updated': emitNothing,
  'turn/plan/updated': emitNothing,
  'turn/moderationMetadata': emitNothing,
  'skills/changed': emitNothing,
  'app/list/updated': emitNothing,
  'mcpServer/startupStatus/updated': emitNothing,
  'account/updated': emitNothing,
  'account/rateLimits/updated': emitNothing,
  'remoteControl/status/changed': emitNothing,
  'hook/started': emitNothing,
  'hook/completed': emitNothing,
};
