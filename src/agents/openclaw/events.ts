import * as z from 'zod/mini';
import { commandAsked, commandResolved, otherApproval } from './approvals.ts';
import { renamed } from './opening.ts';
import { rowTold } from './rows.ts';
import type { State, Step } from './state.ts';
import { andThen, nothing } from './state.ts';
import { chatTold } from './turns.ts';
import * as wire from './wire.ts';
import { workTold } from './work.ts';

/** How one kind of event is read: undefined when it does not have the shape that was seen. */
type Reader = (state: State, payload: object) => Step | undefined;

function reads<S extends z.core.$ZodType>(schema: S, translate: (state: State, value: z.infer<S>) => Step | undefined): Reader {
  return (state, payload) => {
    const parsed = z.safeParse(schema, payload);
    return parsed.success ? translate(state, parsed.data) : undefined;
  };
}

const silent: Reader = nothing;

export const EVENTS: Readonly<Record<string, Reader>> = {
  agent: reads(wire.AgentEvent, workTold),
  chat: reads(wire.ChatEvent, chatTold),
  'session.message': reads(wire.SessionMessage, messageTold),
  'exec.approval.requested': reads(wire.ExecRequested, commandAsked),
  'exec.approval.resolved': reads(wire.ExecResolved, commandResolved),
  'session.approval': reads(wire.AnyApproval, otherApproval),
  // About lists and pages that other programs show.
  'sessions.changed': silent,
  'session.operation': silent,
  'session.observer': silent,
  'session.sharing': silent,
  'session.suggestion': silent,
  'session.typing': silent,
  'session.tool': silent,
  'chat.metadata.changed': silent,
  'progressCard.changed': silent,
  task: silent,
  'task.suggestion': silent,
};

function messageTold(state: State, { sessionId, messageId, message, contextTokens }: z.infer<typeof wire.SessionMessage>): Step {
  const window = contextTokens ? Math.round(contextTokens) : state.contextWindow;
  return andThen(renamed({ ...state, contextWindow: window }, sessionId), (next) => rowTold(next, messageId, message));
}
