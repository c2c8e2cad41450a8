import type { Allow, DemoLine, DemoOrder, SettingName } from '../wire.ts';
import { LEVELS, MODELS, MODES } from './about.ts';

/** What a person can change while the agent lives. */
export interface Settings extends Record<SettingName, string> {
  /** Calls that need no question any more, as `tool` or `tool(exact gist)`. */
  readonly granted: Set<string>;
  /** Until when the agent acts as if its account were used up; 0 when it does not. */
  limitedUntil: number;
}

const KNOWN: Readonly<Record<SettingName, readonly string[]>> = {
  model: MODELS.map((model) => model.value),
  mode: MODES,
  thinking: LEVELS,
};

/** Does what was asked, and says how it is now; or says why not. */
export function set(settings: Settings, order: Extract<DemoOrder, { type: 'set' }>): DemoLine {
  const { command, setting, value } = order;
  if (!KNOWN[setting].includes(value)) return { type: 'setting', command, setting, value, refused: `The demo agent knows only ${KNOWN[setting].join(', ')}.` };
  settings[setting] = value;
  return { type: 'setting', command, setting, value };
}

/** What an approval brought with it: the mode to go on in, and grants for the rest of the process's life. */
export function heed(settings: Settings, answer: Allow, print: (line: DemoLine) => void): void {
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
