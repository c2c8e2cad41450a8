import { useEffect, useState } from 'react';

/** A shorter wait needs no message. */
const SOON_MS = 500;

/** Stands in for a transcript that is loading, and says so only when it takes a while. */
export function TranscriptLoading() {
  const [isLong, setLong] = useState(false);
  // A timer, not a CSS animation: the browser would give that its own layer right before the first paint.
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className="transcript-wait">{isLong && <p>Loading…</p>}</div>;
}
