import { type ReactNode, Suspense, useState } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { CommentContext, type CommentPlace } from './comment-context.ts';

const CommentDialog = lazily(() => import('./comment-dialog.tsx'));

/** Everything inside can be commented on. The form is loaded when somebody first opens it. */
export function Commenting({ sessionId, children }: { readonly sessionId: string; readonly children: ReactNode }) {
  const [place, open] = useState<CommentPlace>();
  return (
    <CommentContext value={open}>
      {children}
      {place !== undefined && (
        <Suspense>
          <CommentDialog sessionId={sessionId} place={place} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </CommentContext>
  );
}
