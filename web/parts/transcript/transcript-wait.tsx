import { useEffect, useState } from 'react';

/** Who waits less than this has nothing to be told. */
const SOON_MS = 500;

/** Stands where the transcript will be. Who has to wait is told so; whoever does not never sees it. */
export function TranscriptWait() {
  const [isLong, setLong] = useState(false);
  // Not by an animation, which the browser would give a layer of its own, right before the first picture.
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className="transcript-wait">{isLong && <p>Fetching what was said…</p>}</div>;
}
