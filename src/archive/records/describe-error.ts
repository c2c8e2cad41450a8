const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied. Let the user that runs Signalbox read it.',
  EPERM: 'Permission denied. Let the user that runs Signalbox read it.',
  ELOOP: 'It is a symbolic link, or a loop of links.',
  EIO: 'The disk failed to read it.',
  EMFILE: 'Too many files are open.',
};

/** Why something can't be read. */
export function describeError(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return (code && WORDS[code]) ?? (error instanceof Error ? error.message : String(error));
}
