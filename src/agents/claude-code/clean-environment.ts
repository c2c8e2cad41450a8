/**
 * Removes what a CLI sets for its children (the server may have been started by one) and what would change a run: a
 * session id, the entry point, the remote mode, the automatic repetition of an interrupted turn. Every version adds some, so the
 * entire family is removed, except what people set on purpose.
 */
export const cleanEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isRemoved(name)));

function isRemoved(name: string): boolean {
  if (REMOVED.has(name)) return true;
  if (!name.startsWith('CLAUDE_CODE_')) return false;
  return !CHOSEN.has(name) && !CHOSEN_FAMILIES.some((family) => name.startsWith(family));
}

const REMOVED: ReadonlySet<string> = new Set(['CLAUDECODE', 'CLAUDE_EFFORT', 'CLAUDE_PID', 'AI_AGENT']);

/** Accounts, networks, limits and switches, as the vendor documents them. */
const CHOSEN: ReadonlySet<string> = new Set([
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'CLAUDE_CODE_ATTRIBUTION_HEADER',
  'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
  'CLAUDE_CODE_CERT_STORE',
  'CLAUDE_CODE_CLIENT_CERT',
  'CLAUDE_CODE_CLIENT_KEY',
  'CLAUDE_CODE_CLIENT_KEY_PASSPHRASE',
  'CLAUDE_CODE_EFFORT_LEVEL',
  'CLAUDE_CODE_EXTRA_BODY',
  'CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_GIT_BASH_PATH',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_MAX_RETRIES',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_PROXY_RESOLVES_HOSTS',
  'CLAUDE_CODE_SHELL',
  'CLAUDE_CODE_SHELL_PREFIX',
  'CLAUDE_CODE_SUBAGENT_MODEL',
  'CLAUDE_CODE_TMPDIR',
]);

const CHOSEN_FAMILIES = ['CLAUDE_CODE_DISABLE_', 'CLAUDE_CODE_ENABLE_', 'CLAUDE_CODE_USE_', 'CLAUDE_CODE_SKIP_', 'CLAUDE_CODE_OTEL_', 'CLAUDE_CODE_GLOB_'];
