import type * as z from 'zod/mini';
import type { PlanAnswer } from '../../../src/protocol/annotation.ts';
import {
  Annotation,
  AnnotationList,
  type EditAnnotationBody,
  type MakeAnnotationBody,
  ReviewAccepted,
  ReviewPreview,
} from '../../../src/protocol/api/annotations.ts';
import { SideQuestionAnswer } from '../../../src/protocol/http.ts';
import { caller } from './api.ts';

export type NewComment = z.infer<typeof MakeAnnotationBody>;
export type CommentChange = z.infer<typeof EditAnnotationBody>;
export type PreviewedMessage = z.infer<typeof ReviewPreview>['messages'][number];

/** Comments and reviews. Throws the server's message if it refuses. */
export interface AnnotationApi {
  /** Comments of all sessions; each part of the filter narrows the list. */
  list(filter: Readonly<Record<string, string | undefined>>): Promise<readonly Annotation[]>;
  ofSession(sessionId: string): Promise<readonly Annotation[]>;
  make(comment: NewComment): Promise<Annotation>;
  edit(id: string, change: CommentChange): Promise<Annotation>;
  withdraw(id: string): Promise<void>;
  settle(id: string, outcome: 'verified' | 'dropped' | 'reopened'): Promise<void>;
  preview(sessionId: string, annotationIds: readonly string[]): Promise<PreviewedMessage | undefined>;
  /** The agent's answer, given in a copy of its conversation. */
  askBeside(sessionId: string, question: string): Promise<string>;
  /** The same `commandId` sends nothing more. With `answer`, the review answers a plan. */
  send(sessionId: string, annotationIds: readonly string[], commandId: string, answer?: z.input<typeof PlanAnswer>): Promise<void>;
}

export function createAnnotationApi(base: string): AnnotationApi {
  const call = caller(base);
  const at = (id: string, more = ''): string => `api/annotations/${encodeURIComponent(id)}${more}`;
  return {
    list: async (filter) => {
      const query = new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
      return AnnotationList.parse(await call('GET', `api/annotations?${query}`)).annotations;
    },
    ofSession: async (id) => AnnotationList.parse(await call('GET', `api/sessions/${encodeURIComponent(id)}/annotations`)).annotations,
    make: async (comment) => Annotation.parse(await call('POST', 'api/annotations', comment)),
    edit: async (id, change) => Annotation.parse(await call('PATCH', at(id), change)),
    withdraw: async (id) => void (await call('DELETE', at(id))),
    settle: async (id, outcome) => void (await call('POST', at(id, '/settle'), { outcome })),
    preview: async (sessionId, annotationIds) =>
      ReviewPreview.parse(await call('POST', 'api/reviews/preview', { annotationIds, to: [{ sessionId }] })).messages[0],
    askBeside: async (sessionId, question) =>
      SideQuestionAnswer.parse(await call('POST', `api/sessions/${encodeURIComponent(sessionId)}/side-question`, { question })).answer,
    send: async (sessionId, annotationIds, commandId, answer) =>
      void ReviewAccepted.parse(await call('POST', 'api/reviews', { annotationIds, to: [{ sessionId, ...(answer && { answer }) }], commandId })),
  };
}
