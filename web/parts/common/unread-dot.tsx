/** Beside the title of a session that finished and was not seen. */
export function UnreadDot() {
  return (
    <>
      <span className="unseen">, unread</span>
      <span className="unread-dot" aria-hidden="true" />
    </>
  );
}
