import { useState } from 'react';
import { sizeText } from '../../../../base/text/format.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import type { PreviewedMessage } from '../../../../client/http/annotation-api.ts';
import type { Comment } from './groups.ts';
import type { Act } from './use-comments.ts';

interface SendReviewProps {
  readonly sessionId: string;
  readonly comments: readonly Comment[];
  readonly act: Act;
  readonly label: string;
}

/** Shows the exact message, and sends it once. */
export function SendReview({ sessionId, comments, act, label }: SendReviewProps) {
  const [preview, setPreview] = useState<PreviewedMessage>();
  const [isSending, setSending] = useState(false);
  const ids = comments.map(({ annotationId }) => annotationId);
  const look = () => (preview === undefined ? act(async (api) => setPreview(await api.preview(sessionId, ids))) : setPreview(undefined));
  const send = async () => {
    setSending(true);
    // The same comments in the same state have the same id: pressing twice sends one message.
    await act((api) =>
      api.send(sessionId, ids, `page:${sessionId}:${comments.map(({ annotationId, sent }) => `${annotationId}.${sent?.seq ?? 0}`).join(',')}`.slice(0, 200)),
    );
    setPreview(undefined);
    setSending(false);
  };
  return (
    <div className="review-send">
      <p className="review-send-buttons">
        <button type="button" className="button primary" disabled={ids.length === 0 || isSending} onClick={() => void send()}>
          {label}
        </button>
        <button type="button" className="button plain" disabled={ids.length === 0} aria-expanded={preview !== undefined} onClick={() => void look()}>
          {preview === undefined ? 'Preview' : 'Hide preview'}
        </button>
        {preview !== undefined && <span className="quiet">{sizeText(preview.bytes)}, one message</span>}
      </p>
      {preview !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="review-preview" tabIndex={0}>
          <VisibleText text={preview.text} />
        </pre>
      )}
    </div>
  );
}
