import type { Event } from '../../protocol/event.ts';

/** A conversation and its messages, by the agent's own ids. */
export interface ConversationHistory {
  readonly agentSessionId: string;
  readonly messages: readonly Message[];
}

export interface Message {
  readonly id: string;
  readonly seq: number;
  readonly isInherited: boolean;
}

interface Collected {
  readonly agentSessionId: string | undefined;
  readonly messages: readonly Message[];
}

/**
 * The conversation after these events. A session can have had several in a row; the last one counts.
 * `initial` is the one that a past session had before it was adopted.
 */
export function conversationUpTo(events: readonly Event[], initial?: string): ConversationHistory | undefined {
  const messages: Message[] = [];
  let agentSessionId = initial;
  for (const event of events) {
    const next = conversationAfter(agentSessionId, event);
    if (next.isFresh) messages.length = 0;
    agentSessionId = next.agentSessionId;
    const id = messageIdOf(event);
    if (id !== undefined) messages.push({ id, seq: event.seq, isInherited: event.inherited === true });
  }
  return currentConversation(events[0], { agentSessionId, messages });
}

/** A fork gets its own conversation with its first message; until then it has the original. */
function currentConversation(first: Event | undefined, { agentSessionId, messages }: Collected): ConversationHistory | undefined {
  const origin = first?.type === 'session.created' ? first.origin : undefined;
  const isOwn = messages.some((message) => !message.isInherited);
  const id = isOwn ? agentSessionId : (origin?.agentSessionId ?? agentSessionId);
  return id === undefined ? undefined : { agentSessionId: id, messages };
}

interface Conversation {
  readonly agentSessionId: string | undefined;
  readonly isFresh: boolean;
}

/** A process starts, copies or continues a conversation; and an agent can start another one on its own (`/clear`). */
function conversationAfter(now: string | undefined, event: Event): Conversation {
  const same = { agentSessionId: now, isFresh: false };
  if (event.inherited === true) return same;
  if (event.type === 'run.opened') return { agentSessionId: event.agentSessionId ?? now, isFresh: event.mode === 'new' && event.agentSessionId !== now };
  if (event.type !== 'session.started') return same;
  return { agentSessionId: event.agentSessionId, isFresh: now !== undefined && event.agentSessionId !== now };
}

/** The agent's own id of a message after which it can continue. A call without a result has none, and neither does a subagent's message. */
export function messageIdOf(event: Event): string | undefined {
  switch (event.type) {
    case 'user.message':
      return event.parentToolUseId === undefined ? (event.uuid ?? event.itemId) : undefined;
    case 'assistant.text':
    case 'assistant.thinking':
      return event.parentToolUseId === undefined ? event.uuid : undefined;
    case 'tool.completed':
      return event.parentToolUseId === undefined && event.closedBy === undefined ? event.uuid : undefined;
    default:
      return undefined;
  }
}
