import { LEVELS, MODELS, MODES } from './catalog.ts';
import type { Allow, DemoLine, DemoRequest, SettingName } from './wire.ts';

/** What a person can change while the agent runs. */
export interface Settings extends Record<SettingName, string> {
  /** Calls that no longer need approval, as `tool` or `tool(exact command)`. */
  readonly granted: Set<string>;
  /** Until when the agent acts as if its account were used up; 0 when it doesn't. */
  limitedUntil: number;
}

const KNOWN: Readonly<Record<SettingName, readonly string[]>> = {
  model: MODELS.map((model) => model.value),
  mode: MODES,
  thinking: LEVELS,
};

/** Applies a setting and reports its new value, or why it was refused. */
export function set(settings: Settings, request: Extract<DemoRequest, { type: 'set' }>): DemoLine {
  const { command, setting, value } = request;
  if (!KNOWN[setting].includes(value)) return { type: 'setting', command, setting, value, refused: `The demo agent only knows ${KNOWN[setting].join(', ')}.` };
  settings[setting] = value;
  return { type: 'setting', command, setting, value };
}

/** Applies what came with an approval: the mode to continue in, and grants for the rest of the process's life. */
export function applyGrants(settings: Settings, answer: Allow, print: (line: DemoLine) => void): void {
  const modes = answer.grants.flatMap((grant) => (grant.type === 'setMode' && typeof grant.mode === 'string' ? [grant.mode] : []));
  const mode = answer.mode ?? modes.at(-1);
  if (mode !== undefined && KNOWN.mode.includes(mode)) {
    settings.mode = mode;
    print({ type: 'setting', setting: 'mode', value: mode });
  }
  for (const name of answer.grants.flatMap(rulesIn)) settings.granted.add(name);
}

function rulesIn(grant: Readonly<Record<string, unknown>>): readonly string[] {
  if (grant.type !== 'addRules' || !Array.isArray(grant.rules)) return [];
  return grant.rules.flatMap((rule: { toolName?: unknown; ruleContent?: unknown }) =>
    typeof rule.toolName === 'string' ? [rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${String(rule.ruleContent)})`] : [],
  );
}
