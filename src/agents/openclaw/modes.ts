import type { PermissionMode } from '../../protocol/session.ts';

/** OpenClaw's session permission modes (2026.9.6) that match one of ours. In all of them, files in the session's folder are written without asking. */
const ITS_MODES = {
  // Asks before every command that isn't on its own allowlist.
  default: 'guarded',
  // A model checks each such command first, and a person is asked when the model is unsure.
  auto: 'workspace',
  bypassPermissions: 'full',
} as const satisfies Partial<Record<PermissionMode, string>>;

type Mode = keyof typeof ITS_MODES;
export const MODES: readonly Mode[] = ['default', 'auto', 'bypassPermissions'];

export const isKnown = (mode: string | undefined): mode is Mode => MODES.some((known) => known === mode);

/** Sent with every session: otherwise the person's own settings decide, and by default those never ask. */
export const openclawModeOf = (mode: string | undefined): string => ITS_MODES[isKnown(mode) ? mode : 'default'];

/** Our name for OpenClaw's mode; without one, OpenClaw's own. */
export const modeOf = (its: string): string => MODES.find((mode) => ITS_MODES[mode] === its) ?? its;
