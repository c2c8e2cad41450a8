/** Words quoted so that a shell takes each one literally. */
export const typed = (words: readonly string[]): string => words.map(quoted).join(' ');

function quoted(word: string): string {
  if (/^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
