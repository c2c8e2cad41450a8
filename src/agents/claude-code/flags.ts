import type { AllowedFlag } from '../port/adapter.ts';

/**
 * Flags a person may add: those that only restrict the agent or shape its answers. Left out are flags that change the wire, the
 * session or the permissions, that read or run files of the person's choice (settings with hooks, plugins, agents, debug files), and that
 * have a named option. Taken from `--help` of 2.1.197 and 2.1.325.
 */
export const ALLOWED_FLAGS: readonly AllowedFlag[] = [
  { name: '--bare' },
  { name: '--betas', value: { fits: /^[A-Za-z0-9][A-Za-z0-9,._-]*$/, words: 'names of betas, separated by commas' } },
  { name: '--disable-slash-commands' },
  { name: '--effort', value: { fits: /^(low|medium|high|xhigh|max)$/, words: 'low, medium, high, xhigh or max' } },
  { name: '--exclude-dynamic-system-prompt-sections' },
  { name: '--json-schema', value: { fits: /^\s*\{[\s\S]*\}\s*$/, words: 'a JSON object' } },
  { name: '--max-budget-usd', value: { fits: /^\d+(\.\d+)?$/, words: 'an amount in dollars' } },
  { name: '--name', value: { fits: /^[^\r\n]{1,200}$/, words: 'one line of up to 200 characters' } },
  { name: '--no-chrome' },
  { name: '--prompt-suggestions' },
  { name: '--safe-mode' },
  { name: '--strict-mcp-config' },
  { name: '--tools', value: { fits: /^[A-Za-z0-9_][A-Za-z0-9_,]*$/, words: 'names of tools, separated by commas' } },
];

/** The CLI's own variables, except those that only set a number, an account or an endpoint; and the one that allows everything as root. */
export const REFUSED_ENV: readonly RegExp[] = [
  /^CLAUDECODE$/i,
  /^CLAUDE_(?!CODE_(MAX_RETRIES|MAX_OUTPUT_TOKENS|AUTO_COMPACT_WINDOW|DISABLE_NONESSENTIAL_TRAFFIC|OAUTH_TOKEN|USE_BEDROCK|USE_VERTEX)$|AUTOCOMPACT_PCT_OVERRIDE$)/i,
  /^(IS_SANDBOX|AI_AGENT|DISABLE_AUTOUPDATER)$/i,
];
