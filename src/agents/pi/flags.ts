import type { AllowedFlag } from '../adapter.ts';

/**
 * What a person may add to the command line: what only narrows Pi. Left out is what changes the wire, the session or our extension, what loads
 * files of the person's choice, and what has an option of its own. Read in `--help` of 0.73.1 and 0.87.1.
 */
export const ALLOWED_FLAGS: readonly AllowedFlag[] = [
  { name: '--no-context-files' },
  { name: '--no-extensions' },
  { name: '--no-prompt-templates' },
  { name: '--no-skills' },
  { name: '--no-tools' },
  { name: '--tools', value: { fits: /^[A-Za-z0-9_][A-Za-z0-9_,-]*$/, words: 'names of tools with "," between' } },
];

/** Its own variables but those that only keep it quiet: another folder for its settings would bring other extensions. */
export const REFUSED_ENV: readonly RegExp[] = [/^PI_(?!(OFFLINE|TELEMETRY|SKIP_VERSION_CHECK)$)/i];
