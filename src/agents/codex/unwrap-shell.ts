/**
 * Codex runs every command in a login shell and shows it that way (`/bin/bash -lc 'echo one'`). People and rules need the command itself.
 * Anything quoted in an unknown way stays unchanged: better too long than wrong.
 */
export function unwrapShell(line: string): string {
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
