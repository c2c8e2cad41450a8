import type { BlobRef } from '../../src/protocol/event.ts';

/** What is too large for a transcript is one click away, never lost. */
export function WholeLink({ blob }: { readonly blob: BlobRef | undefined }) {
  if (blob === undefined) return null;
  return (
    <p className="whole-link">
      Only the beginning is shown.{' '}
      <a href={`api/blobs/${blob.sha256}`} target="_blank" rel="noopener noreferrer">
        Open the whole ({blob.bytes.toLocaleString()} bytes)
      </a>
    </p>
  );
}
