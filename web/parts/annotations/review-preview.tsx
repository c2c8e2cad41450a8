import { useState } from 'react';
import { sizeText } from '../../base/text/format.ts';
import { VisibleText } from '../../base/ui/visible-text.tsx';
import type { PreviewedMessage } from '../../client/http/annotation-api.ts';
import type { Comment } from './groups.ts';
import type { Act } from './use-comments.ts';

interface ReviewPreviewProps {
  readonly sessionId: string;
  readonly comments: readonly Comment[];
  readonly act: Act;
}

/** Shows the exact message. */
export function ReviewPreview({ sessionId, comments, act }: ReviewPreviewProps) {
  const key = comments.map(({ annotationId, text }) => `${annotationId} ${text}`).join('\n');
  const [preview, setPreview] = useState<{ readonly key: string; readonly message: PreviewedMessage | undefined }>();
  const ids = comments.map(({ annotationId }) => annotationId);
  // A preview of other comments is not what would be sent.
  const shown = preview?.key === key ? preview.message : undefined;
  const look = () => (shown === undefined ? act(async (api) => setPreview({ key, message: await api.preview(sessionId, ids) })) : setPreview(undefined));
  return (
    <>
      <p className="review-preview-line">
        <button type="button" className="button plain" disabled={ids.length === 0} aria-expanded={shown !== undefined} onClick={() => void look()}>
          {shown === undefined ? 'Preview' : 'Hide preview'}
        </button>
        {shown !== undefined && <span className="quiet">{sizeText(shown.bytes)}, one message</span>}
      </p>
      {shown !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="review-preview" tabIndex={0}>
          <VisibleText text={shown.text} />
        </pre>
      )}
    </>
  );
}
