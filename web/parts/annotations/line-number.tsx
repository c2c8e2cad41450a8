interface LineNumberProps {
  readonly number: number | undefined;
  /** Unset where the line can't be commented on. */
  readonly onComment?: (() => void) | undefined;
}

/** A line's number, which opens the comment form. Not a tab stop: a file would have thousands. */
export function LineNumber({ number, onComment }: LineNumberProps) {
  if (onComment === undefined || number === undefined) return <span className="line-number">{number ?? ''}</span>;
  const label = `Comment on line ${number}`;
  return (
    <button type="button" className="line-number line-comment" tabIndex={-1} aria-label={label} title={label} onClick={onComment}>
      {number}
    </button>
  );
}
