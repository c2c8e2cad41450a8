import type { Actor } from '../protocol/actor.ts';
import type { Command } from '../protocol/command.ts';
import type { BlobRef, EventOf } from '../protocol/event.ts';
import type { CommandId, SessionId } from '../protocol/ids.ts';

/** An event of the workspace that names commands. The engine submits them until each has a receipt or a refusal, and again after every start. */
export type TaskEvent = EventOf<'review.requested'>;

export interface BackgroundTask {
  readonly taskId: string;
  readonly event: TaskEvent;
}

export const taskOf = (event: TaskEvent): BackgroundTask => ({ taskId: `review:${event.reviewId}`, event });

/** Who asked for it. */
export const actorOf = ({ event }: BackgroundTask, fallback: Actor): Actor => event.actor ?? fallback;

/** A text that was too long for its event. */
export type ReadBlob = (blob: BlobRef) => string;

/**
 * The commands of a task, with ids that are the same each time: one message to each recipient, then one mark in each other session whose comments are in it.
 * A mark is only made if its message was accepted.
 */
export function deliveriesOf({ event }: BackgroundTask, readBlob: ReadBlob): readonly Delivery[] {
  return event.to.map(({ sessionId, commandId, text, items, answer }, index) => {
    const blob = event.blobs?.[`to.${index}.text`];
    const others = [...new Set(items.map((item) => item.sessionId))].filter((id) => id !== sessionId);
    return {
      message: {
        type: 'review.send',
        commandId,
        sessionId,
        reviewId: event.reviewId,
        text: blob === undefined ? text : readBlob(blob),
        items,
        ...(answer !== undefined && { answer }),
      },
      marks: others.map((other) => ({
        type: 'review.mark',
        commandId: `${commandId}:${other}` as CommandId,
        sessionId: other as SessionId,
        reviewId: event.reviewId,
        items: items.filter((item) => item.sessionId === other),
        to: sessionId,
      })),
    };
  });
}

export interface Delivery {
  readonly message: Command;
  readonly marks: readonly Command[];
}
