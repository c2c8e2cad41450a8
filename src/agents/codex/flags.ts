import type { AllowedFlag } from '../port/adapter.ts';

/** Flags a person may add. Everything else in `codex app-server --help` (0.166.0) changes arbitrary settings or the wire. */
export const ALLOWED_FLAGS: readonly AllowedFlag[] = [{ name: '--strict-config' }];

/** Codex's own variables: a different settings folder would bring different rules for what runs without asking. */
export const REFUSED_ENV: readonly RegExp[] = [/^CODEX_/i];
