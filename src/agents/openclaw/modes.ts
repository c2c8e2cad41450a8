import type { PermissionMode, Thinking } from '../../protocol/session.ts';

/** Its session permission modes (2026.9.6), as far as they have a name with us. In all of them files below the session's folder are written unasked. */
const ITS_MODES = {
  // A person is asked before every command that its own allowlist does not know.
  default: 'guarded',
  // A model looks at each such command first, and a person is asked where that model is in doubt.
  auto: 'workspace',
  bypassPermissions: 'full',
} as const satisfies Partial<Record<PermissionMode, string>>;

type Mode = keyof typeof ITS_MODES;
export const MODES: readonly Mode[] = ['default', 'auto', 'bypassPermissions'];

export const isKnown = (mode: string | undefined): mode is Mode => MODES.some((known) => known === mode);

/** Said outright with every session: without one the person's own settings decide, and those ask for nothing unless they were changed. */
export const itsModeOf = (mode: string | undefined): string => ITS_MODES[isKnown(mode) ? mode : 'default'];

/** The name of what OpenClaw says that it does; what has none is told in its own word. */
export const modeOf = (its: string): string => MODES.find((mode) => ITS_MODES[mode] === its) ?? its;

const THINKING: Readonly<Record<string, Thinking | undefined>> = {
  off: 'off',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  max: 'max',
};

export const thinkingOf = (level: string): Thinking | undefined => THINKING[level];
