import { type ReactNode, type RefObject, Suspense, useMemo, useRef } from 'react';
import * as z from 'zod/mini';
import { NewTarget } from '../../../src/protocol/api/annotations.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { useFormDraft } from '../common/use-form-draft.ts';
import { CommentContext, type CommentPlace } from './comment-context.ts';
import { SelectionMenu } from './selection-menu.tsx';

const CommentDialog = lazily(() => import('./comment-dialog.tsx'));

const Place = z.optional(z.object({ target: NewTarget, quote: z.optional(z.string()), seq: z.optional(z.int()), title: z.string() }));

interface CommentingProps {
  readonly sessionId: string;
  /** Text selected in this part gets a menu. */
  readonly within: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/** Everything inside can be commented on. The form is loaded when somebody first opens it; a reload doesn't close it. */
export function Commenting({ sessionId, within, children }: CommentingProps) {
  const [place, open] = useFormDraft<CommentPlace | undefined>(`commenting:${sessionId}`, Place, undefined);
  const show = useRef(open);
  show.current = open;
  const value = useMemo(() => ({ open: (wanted: CommentPlace) => show.current(wanted), sources: new WeakMap() }), []);
  return (
    <CommentContext value={value}>
      {children}
      <SelectionMenu sessionId={sessionId} within={within} />
      {place !== undefined && (
        <Suspense>
          <CommentDialog sessionId={sessionId} place={place} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </CommentContext>
  );
}
