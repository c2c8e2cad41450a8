import type * as z from 'zod/mini';
import { DONT_SEND, SEND } from '../../domain/permission/tool-ask.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SendToSession } from '../../protocol/agent-tools.ts';
import { isRefusal } from '../../protocol/command.ts';
import { CommandId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { ToolCaller, ToolOutcome } from './caller.ts';

/** A person decides first; the call stays open until they do. */
export interface NeedsPerson {
  readonly question: string;
  readonly options: readonly string[];
}

/** Queues a message of an agent for another one. To a session that is none of its own, only if a person agrees. */
export async function sendToSession(
  caller: ToolCaller,
  engine: Engine,
  { sessionId, text }: z.infer<typeof SendToSession>,
  { askId, isApproved }: { readonly askId: string; readonly isApproved: boolean },
): Promise<ToolOutcome | NeedsPerson> {
  const sender = caller.session;
  const target = isRelated(sender, engine.session(sessionId)) ? engine.session(sessionId) : caller.engine.session(sessionId);
  if (target === undefined) return { refused: 'not-found', message: `There is no running session ${sessionId}. find_sessions lists sessions.` };
  if (target.id === sender?.id) return { refused: 'bad-request', message: 'That is your own session.' };
  if (/^\s*[/!]/.test(text)) return { refused: 'not-permitted', message: 'A message can’t start with “/” or “!”: those are commands for people to use.' };
  if (sender !== undefined && !isRelated(sender, target) && !isApproved) {
    return { question: `Tell “${target.title}” (${target.agent}) this?\n\n${text}`, options: [SEND, DONT_SEND] };
  }
  const commandId = CommandId.parse(`tool:${askId}`);
  const words = sender === undefined ? text : `Message from the agent of the session “${sender.title}” (${sender.agent}, ${sender.id}):\n\n${text}`;
  const receipt = await (sender === undefined ? caller.engine : engine).submit(
    { type: 'input.send', commandId, sessionId, text: words, mode: 'queue' },
    caller.actor,
  );
  return isRefusal(receipt) ? receipt : `Queued for “${target.title}”.`;
}

/** One of the two started the other. */
const isRelated = (sender: Session | undefined, target: Session | undefined): boolean =>
  sender !== undefined && target !== undefined && (target.startedBy === sender.id || sender.startedBy === target.id);
