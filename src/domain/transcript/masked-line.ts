/** Enough to see what was decided; the event has the full text. */
const HEAD_CHARS = 200;

/** Text from outside on one short line, with everything that looks like a secret masked: the audit is kept forever and can be exported. */
export function plain(text: string): string {
  const line = masked(text.slice(0, HEAD_CHARS * 4))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > HEAD_CHARS ? `${line.slice(0, HEAD_CHARS - 1)}…` : line;
}

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 •••'],
  [/([\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key|credential)[\w-]*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s"'&]+)/gi, '$1•••'],
  [/(--(?:token|secret|password|api-key)\s+)\S+/gi, '$1•••'],
  [/(\/\/[^\s/:@]+:)[^\s/@]+@/g, '$1•••@'],
  [/\b(?:sk|pk|ghp|gho|ghs|github_pat|xox[abp]|glpat|AKIA)[-_]?[A-Za-z0-9_-]{12,}/g, '•••'],
];

const masked = (text: string): string => SECRETS.reduce((kept, [secret, instead]) => kept.replace(secret, instead), text);
