import * as z from 'zod/mini';
import { requestResolved } from './approvals.ts';
import { itemCompleted, itemStarted } from './live-items.ts';
import type { State, Step } from './state.ts';
import { nothing } from './state.ts';
import { grew, summaryPartAdded } from './stream.ts';
import { failed, tokensCounted, turnCompleted, turnStarted } from './turns.ts';
import { modelRerouted, warned } from './warnings.ts';
import * as wire from './wire.ts';

/** How one kind of message is read: undefined when it does not have the shape that was seen. */
type Reader = (state: State, params: object) => Step | undefined;

function reads<S extends z.core.$ZodType>(schema: S, translate: (state: State, value: z.infer<S>) => Step): Reader {
  return (state, params) => {
    const parsed = z.safeParse(schema, params);
    return parsed.success ? translate(state, parsed.data) : undefined;
  };
}

/** Codex tells of the threads of subagents too; what they do is theirs. */
const ours =
  <T extends { readonly threadId: string }>(translate: (state: State, value: T) => Step) =>
  (state: State, value: T): Step =>
    value.threadId === state.threadId || state.threadId === null ? translate(state, value) : nothing(state);

/** A message that is known and tells nothing that another one does not. */
const silent: Reader = nothing;

export const NOTIFICATIONS: Readonly<Record<string, Reader>> = {
  'turn/started': reads(wire.TurnStarted, ours(turnStarted)),
  'turn/completed': reads(wire.TurnCompleted, ours(turnCompleted)),
  'item/started': reads(wire.ItemLine, ours(itemStarted)),
  'item/completed': reads(wire.ItemLine, ours(itemCompleted)),
  'item/agentMessage/delta': reads(wire.Delta, ours(grew)),
  'item/plan/delta': reads(wire.Delta, ours(grew)),
  'item/reasoning/summaryTextDelta': reads(wire.Delta, ours(grew)),
  'item/reasoning/summaryPartAdded': reads(wire.SummaryPart, ours(summaryPartAdded)),
  'thread/tokenUsage/updated': reads(wire.TokenUsage, ours(tokensCounted)),
  error: reads(wire.Failure, ours(failed)),
  warning: reads(wire.Warning, (state, { message }) => warned(state, message)),
  guardianWarning: reads(wire.Warning, (state, { message }) => warned(state, message)),
  configWarning: reads(wire.ConfigWarning, (state, { summary, details }) => warned(state, details ? `${summary}\n${details}` : summary)),
  'model/rerouted': reads(wire.Rerouted, ours(modelRerouted)),
  'serverRequest/resolved': reads(wire.Resolved, requestResolved),
  // The answer to our request has told it.
  'thread/started': silent,
  'thread/settings/updated': silent,
  // Turns and requests tell it.
  'thread/status/changed': silent,
  // The whole thought follows with its item.
  'item/reasoning/textDelta': silent,
  // The whole output follows with its item.
  'item/commandExecution/outputDelta': silent,
  'item/commandExecution/terminalInteraction': silent,
  'item/fileChange/outputDelta': silent,
  'item/fileChange/patchUpdated': silent,
  'item/mcpToolCall/progress': silent,
  // Each change of a file has its own patch.
  'turn/diff/updated': silent,
  // Said once more as an item.
  'thread/compacted': silent,
  // About us, about lists that other programs show, or about the account.
  deprecationNotice: silent,
  'thread/readState/changed': silent,
  'thread/name/updated': silent,
  'thread/goal/updated': silent,
  'thread/goal/cleared': silent,
  'thread/queue/changed': silent,
  'thread/prediction/updated': silent,
  'turn/plan/updated': silent,
  'turn/moderationMetadata': silent,
  'skills/changed': silent,
  'app/list/updated': silent,
  'mcpServer/startupStatus/updated': silent,
  'account/updated': silent,
  'account/rateLimits/updated': silent,
  'remoteControl/status/changed': silent,
  'hook/started': silent,
  'hook/completed': silent,
};
