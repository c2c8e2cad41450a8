import type { BlobRef } from '../../../src/protocol/event.ts';
import { DownloadLink } from './download-link.tsx';

/** Text too large for a transcript is one click away, never lost. */
export function FullTextLink({ blob }: { readonly blob: BlobRef | undefined }) {
  if (blob === undefined) return null;
  return (
    <p className="whole-link">
      Only the start is shown. <DownloadLink path={`api/blobs/${blob.sha256}`}>Download all ({blob.bytes.toLocaleString()} bytes)</DownloadLink>
    </p>
  );
}
