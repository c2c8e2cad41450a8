import type * as z from 'zod/mini';
import {
  Annotation,
  AnnotationList,
  type EditAnnotationBody,
  type MakeAnnotationBody,
  ReviewAccepted,
  ReviewPreview,
} from '../../../src/protocol/api/annotations.ts';
import { caller } from './api.ts';

export type NewComment = z.infer<typeof MakeAnnotationBody>;
export type CommentChange = z.infer<typeof EditAnnotationBody>;
export type PreviewedMessage = z.infer<typeof ReviewPreview>['messages'][number];

/** Comments and reviews. Throws the server's message if it refuses. */
export interface AnnotationApi {
  ofSession(sessionId: string): Promise<readonly Annotation[]>;
  make(comment: NewComment): Promise<Annotation>;
  edit(id: string, change: CommentChange): Promise<Annotation>;
  withdraw(id: string): Promise<void>;
  settle(id: string, outcome: 'verified' | 'dropped' | 'reopened'): Promise<void>;
  preview(sessionId: string, annotationIds: readonly string[]): Promise<PreviewedMessage | undefined>;
  /** The same `commandId` sends nothing more. */
  send(sessionId: string, annotationIds: readonly string[], commandId: string): Promise<void>;
}

export function createAnnotationApi(base: string): AnnotationApi {
  const call = caller(base);
  const at = (id: string, more = ''): string => `api/annotations/${encodeURIComponent(id)}${more}`;
  return {
    ofSession: async (id) => AnnotationList.parse(await call('GET', `api/sessions/${encodeURIComponent(id)}/annotations`)).annotations,
    make: async (comment) => Annotation.parse(await call('POST', 'api/annotations', comment)),
    edit: async (id, change) => Annotation.parse(await call('PATCH', at(id), change)),
    withdraw: async (id) => void (await call('DELETE', at(id))),
    settle: async (id, outcome) => void (await call('POST', at(id, '/settle'), { outcome })),
    preview: async (sessionId, annotationIds) =>
      ReviewPreview.parse(await call('POST', 'api/reviews/preview', { annotationIds, to: [{ sessionId }] })).messages[0],
    send: async (sessionId, annotationIds, commandId) =>
      void ReviewAccepted.parse(await call('POST', 'api/reviews', { annotationIds, to: [{ sessionId }], commandId })),
  };
}
