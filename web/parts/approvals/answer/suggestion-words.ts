import * as z from 'zod/mini';
import type { Remember } from '../../../../src/protocol/rule.ts';
import { modeText } from '../../../base/words/words.ts';

type Scope = Remember['scope'];

const Destination = z.optional(z.string());
const SetMode = z.looseObject({ mode: z.string(), destination: Destination });
const Rules = z.looseObject({
  rules: z.array(z.looseObject({ toolName: z.string(), ruleContent: z.optional(z.string()) })),
  behavior: z.optional(z.string()),
  destination: Destination,
});
const Directories = z.looseObject({ directories: z.array(z.string()), destination: Destination });

/** An option in the agent's own words. How far it reaches, only the agent knows. */
const Option = z.looseObject({ optionId: z.string(), name: z.string() });

export interface Suggestion {
  readonly words: string;
  /** How far it reaches when it goes back to the agent as it came. */
  readonly reach: Scope;
}

/** What an agent itself proposes to remember, in plain words; what nobody has words for is shown as it came. */
export function suggestionWords(suggestion: Readonly<Record<string, unknown>>): Suggestion {
  const mode = SetMode.safeParse(suggestion);
  if (mode.success) return { words: `From now on it ${modeText(mode.data.mode)}`, reach: reachOf(mode.data.destination) };
  const rules = Rules.safeParse(suggestion);
  if (rules.success) {
    const whats = rules.data.rules.map((rule) => (rule.ruleContent === undefined ? `every ${rule.toolName}` : `${rule.toolName} ${rule.ruleContent}`));
    const verb = rules.data.behavior === 'deny' ? 'Deny' : 'Allow';
    return { words: `${verb} ${whats.join(', ')}`, reach: reachOf(rules.data.destination) };
  }
  const directories = Directories.safeParse(suggestion);
  if (directories.success) return { words: `Let it work in ${directories.data.directories.join(', ')} too`, reach: reachOf(directories.data.destination) };
  const option = Option.safeParse(suggestion);
  return { words: option.success ? option.data.name : JSON.stringify(suggestion), reach: 'everywhere' };
}

const reachOf = (destination: string | undefined): Scope => REACHES[destination ?? 'session'] ?? 'everywhere';

const REACHES: Readonly<Record<string, Scope>> = { session: 'session', localSettings: 'project', projectSettings: 'project', userSettings: 'everywhere' };
