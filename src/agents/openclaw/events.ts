import type * as z from 'zod/mini';
import type { Reader } from '../formats/fold.ts';
import { andThen, emitNothing, readerFor } from '../formats/fold.ts';
import { observeAgentEvent } from './agent-events.ts';
import { commandAsked, commandResolved, otherApproval } from './approvals.ts';
import { renamed } from './open-conversation.ts';
import type { State, Step } from './state.ts';
import { observeStoredMessage } from './stored-messages.ts';
import { observeChat } from './turns.ts';
import * as wire from './wire.ts';

export const EVENTS: Readonly<Record<string, Reader<State>>> = {
  agent: readerFor(wire.AgentEvent, observeAgentEvent),
  chat: readerFor(wire.ChatEvent, observeChat),
  'session.message': readerFor(wire.SessionMessage, observeMessage),
  'exec.approval.requested': readerFor(wire.ExecRequested, commandAsked),
  'exec.approval.resolved': readerFor(wire.ExecResolved, commandResolved),
  'session.approval': readerFor(wire.AnyApproval, otherApproval),
  // For lists and pages of other programs.
  'sessions.changed': emitNothing,
  'session.operation': emitNothing,
  'session.observer': emitNothing,
  'session.sharing': emitNothing,
  'session.suggestion': emitNothing,
  'session.typing': emitNothing,
  'session.tool': emitNothing,
  'chat.metadata.changed': emitNothing,
  'progressCard.changed': emitNothing,
  task: emitNothing,
  'task.suggestion': emitNothing,
};

function observeMessage(state: State, { sessionId, messageId, message, contextTokens }: z.infer<typeof wire.SessionMessage>): Step {
  const window = contextTokens ? Math.round(contextTokens) : state.contextWindow;
  return andThen(renamed({ ...state, contextWindow: window }, sessionId), (next) => observeStoredMessage(next, messageId, message));
}
