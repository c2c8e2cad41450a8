/**
 * Codex runs every command in a login shell and shows it with that (`/bin/bash -lc 'echo one'`). People and rules want the command itself.
 * What is not quoted in one of the ways that were seen stays as it is: better too long than wrong.
 */
export function inShell(line: string): string {
  const [, quoted] = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (.+)$/s.exec(line) ?? [];
  return quoted === undefined ? line : (oneWord(quoted) ?? line);
}

/** The text that a shell reads in a single word, when that is certain. */
function oneWord(quoted: string): string | undefined {
  if (/^[\w@%+=:,./-]+$/.test(quoted)) return quoted;
  if (/^'[^']*'$/s.test(quoted)) return quoted.slice(1, -1);
  if (/^"(?:[^"\\$`!]|\\["\\$`!])*"$/s.test(quoted)) return quoted.slice(1, -1).replace(/\\(["\\$`!])/g, '$1');
  return undefined;
}
