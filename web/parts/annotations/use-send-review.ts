import { useState } from 'react';
import * as z from 'zod/mini';
import type { PlanAnswer } from '../../../src/protocol/annotation.ts';
import { newId } from '../../client/new-id.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import type { Comment } from './groups.ts';
import type { Act } from './use-comments.ts';

const Sending = z.optional(z.object({ what: z.string(), id: z.string() }));

/** Sends comments as one message, or as the answer to a plan. The same comments in the same state are sent once, however often it is pressed. */
export function useSendReview(sessionId: string, comments: readonly Comment[], act: Act) {
  const [isSending, setSending] = useState(false);
  const [last, setLast] = useFormDraft<z.infer<typeof Sending>>(`sending:${sessionId}`, Sending, undefined);
  const send = async (answer?: z.input<typeof PlanAnswer>): Promise<boolean> => {
    const what = JSON.stringify([comments.map(({ annotationId, sent }) => [annotationId, sent?.seq]), answer]);
    const id = last?.what === what ? last.id : newId();
    setLast({ what, id });
    setSending(true);
    const ids = comments.map(({ annotationId }) => annotationId);
    const isDone = await act((api) => api.send(sessionId, ids, id, answer));
    setSending(false);
    return isDone;
  };
  return { send, isSending };
}
