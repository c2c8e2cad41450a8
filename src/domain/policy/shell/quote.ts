/** Words as a person would type them so that the shell takes each for what it is. */
export const typed = (words: readonly string[]): string => words.map(quoted).join(' ');

function quoted(word: string): string {
  if (/^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
