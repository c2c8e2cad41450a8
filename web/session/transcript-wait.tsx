/** Stands where the transcript will be. Who has to wait is told so; whoever does not never sees it. */
export const transcriptWait = (
  <div className="transcript-wait">
    <p>Fetching what was said…</p>
  </div>
);
