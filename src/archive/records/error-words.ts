const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'Signalbox may not read it.',
  EPERM: 'Signalbox may not read it.',
  ELOOP: 'It is a link, or a loop of links.',
  EIO: 'The disk could not read it.',
  EMFILE: 'Too many files are open.',
};

/** Why something cannot be read. */
export function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return (code && WORDS[code]) ?? (error instanceof Error ? error.message : String(error));
}
