import type { AllowedFlag } from '../port/adapter.ts';

/**
 * Flags a person may add: those that only restrict Pi. Left out are flags that change the wire, the session or our extension, that load
 * files of the person's choice, and that have a named option. Taken from `--help` of 0.73.1 and 0.87.1.
 */
export const ALLOWED_FLAGS: readonly AllowedFlag[] = [
  { name: '--no-context-files' },
  { name: '--no-extensions' },
  { name: '--no-prompt-templates' },
  { name: '--no-skills' },
  { name: '--no-tools' },
  { name: '--tools', value: { fits: /^[A-Za-z0-9_][A-Za-z0-9_,-]*$/, words: 'names of tools, separated by commas' } },
];

/** Pi's own variables, except those that only keep it quiet: a different settings folder would bring other extensions. */
export const REFUSED_ENV: readonly RegExp[] = [/^PI_(?!(OFFLINE|TELEMETRY|SKIP_VERSION_CHECK)$)/i];
