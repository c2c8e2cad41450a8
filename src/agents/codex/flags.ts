import type { AllowedFlag } from '../adapter.ts';

/** What a person may add to the command line. Everything else of `codex app-server --help` (0.166.0) changes settings at will, or the wire. */
export const ALLOWED_FLAGS: readonly AllowedFlag[] = [{ name: '--strict-config' }];

/** Its own variables: another folder for its settings would bring other rules of what runs unasked. */
export const REFUSED_ENV: readonly RegExp[] = [/^CODEX_/i];
