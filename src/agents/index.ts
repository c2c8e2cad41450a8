import type { Adapter } from './adapter.ts';
import type { PastAgent } from './archive.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { demo } from './demo/index.ts';
import { openclawPast } from './openclaw/index.ts';
import { pi } from './pi/index.ts';

/** Every agent that Signalbox runs; the only place outside an agent's folder that names one. */
export const AGENTS: readonly Adapter[] = [claudeCode, pi, codex, demo];

/** Every agent whose own records are shown. */
export const PAST_AGENTS: readonly PastAgent[] = [
  ...AGENTS.flatMap(({ id, title, icon, archive }) => (archive === undefined ? [] : [{ id, title, icon, archive }])),
  openclawPast,
];
