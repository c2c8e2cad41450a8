import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import type { Annotate, AnswerAnnotation } from '../../protocol/agent-tools.ts';
import { AnnotationId } from '../../protocol/annotation.ts';
import { isRefusal } from '../../protocol/command.ts';
import { CommandId } from '../../protocol/ids.ts';
import { anchorOf } from '../annotations/anchor.ts';
import type { ToolCaller, ToolOutcome, ToolSources } from './caller.ts';

const NOT_IN_RUN: ToolOutcome = { refused: 'not-supported', message: 'Only an agent that Signalbox runs can do this, in its own session.' };

/** An agent comments on a file of its own session. The comment carries its name, and a person decides whether to send it. */
export async function annotate(from: ToolSources, { session, actor }: ToolCaller, input: z.infer<typeof Annotate>, askId: string): Promise<ToolOutcome> {
  if (session === undefined) return NOT_IN_RUN;
  const { file, line, lineEnd, kind, text } = input;
  if (text.includes('\0')) return { refused: 'out-of-range', message: 'A comment can’t contain a null character.' };
  const anchored = await anchorOf(from, session, { target: { type: 'code', file, lineStart: line, ...(lineEnd !== undefined && { lineEnd }) } });
  if (isRefusal(anchored)) return anchored;
  // The same call makes the same comment, also after a restart.
  const annotationId = AnnotationId.parse(`t${createHash('sha256').update(askId).digest('hex').slice(0, 20)}`);
  const command = {
    type: 'annotation.make',
    commandId: CommandId.parse(`tool:${askId}`),
    sessionId: session.id,
    annotationId,
    kind,
    text,
    ...anchored,
  } as const;
  const receipt = await from.engine.submit(command, actor);
  return isRefusal(receipt) ? receipt : `Saved as a draft on ${file}:${line}. A person decides whether to send it.`;
}

/** An agent answers a comment of the review it is working on. */
export async function answerAnnotation(
  from: ToolSources,
  { session, actor }: ToolCaller,
  { label, text }: z.infer<typeof AnswerAnnotation>,
  askId: string,
): Promise<ToolOutcome> {
  if (session === undefined) return NOT_IN_RUN;
  const command = { type: 'annotation.answer', commandId: CommandId.parse(`tool:${askId}`), sessionId: session.id, label, text } as const;
  const receipt = await from.engine.submit(command, actor);
  return isRefusal(receipt) ? receipt : `Noted as the answer to ${label}.`;
}
