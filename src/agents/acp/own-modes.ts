import * as z from 'zod/mini';
import { type OwnMode, PermissionMode } from '../../protocol/session.ts';
import type { ConfigOption, SessionResult } from './wire.ts';

interface NamedMode {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
}

/** Some agents call how much they think a mode (pi-acp 0.0.34, OpenClaw 2026.9.6). */
const THINKING = /^(?:off|none|minimal|low|medium|high|x-?high|max|adaptive)$/i;

/** How agents describe a mode in which nobody is asked (Gemini CLI, Copilot CLI, Qwen Code, codex-acp). */
const BYPASSES = /yolo|bypass|full.?access|unrestricted|allow.?all|approves? all|without (?:asking|user interaction|approval|prompt|confirm)|danger/i;

const KEPT_MODES = 20;
const DESCRIPTION_CHARS = 160;

/** Modes that are not among ours, under the agent's own names. */
export function ownModesOf({ modes, configOptions }: Pick<SessionResult, 'modes' | 'configOptions'>): readonly OwnMode[] {
  const named: readonly NamedMode[] = [...(modes?.availableModes ?? []), ...(configOptions ?? []).flatMap(modesIn)];
  const unique = [...new Map(named.map((mode) => [mode.id, mode])).values()];
  if (unique.every(({ id }) => THINKING.test(id))) return [];
  return unique
    .filter(({ id }) => !z.safeParse(PermissionMode, id).success)
    .slice(0, KEPT_MODES)
    .map(ownMode);
}

function ownMode({ id, name, description }: NamedMode): OwnMode {
  const about = description ? { description: description.slice(0, DESCRIPTION_CHARS) } : {};
  return { id, name: name || id, ...about, ...(BYPASSES.test(`${id} ${name ?? ''} ${description ?? ''}`) && { bypasses: true }) };
}

function modesIn({ category, options = [] }: ConfigOption): readonly NamedMode[] {
  if (category !== 'mode') return [];
  return options.flatMap((choice) =>
    'value' in choice && typeof choice.value === 'string' ? [{ id: choice.value, name: choice.name, description: choice.description }] : [],
  ) as readonly NamedMode[];
}
