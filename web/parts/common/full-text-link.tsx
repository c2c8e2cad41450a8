import type { BlobRef } from '../../../src/protocol/event.ts';
import { DownloadLink } from './download-link.tsx';

/** What is too large for a transcript is one click away, never lost. */
export function WholeLink({ blob }: { readonly blob: BlobRef | undefined }) {
  if (blob === undefined) return null;
  return (
    <p className="whole-link">
      Only the beginning is shown. <DownloadLink path={`api/blobs/${blob.sha256}`}>Download all of it ({blob.bytes.toLocaleString()} bytes)</DownloadLink>
    </p>
  );
}
